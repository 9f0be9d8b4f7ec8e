export function writeNumber(number: number, format?: string): string;
