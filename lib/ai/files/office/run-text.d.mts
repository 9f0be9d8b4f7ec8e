export const MAX_RAISED_CHARACTERS: number;
export function raise(text: string): string;
