export function raise(text: string): string;
