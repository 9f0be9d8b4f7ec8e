export function joinItems(items: { str?: string; transform: number[]; width: number; hasEOL: boolean }[]): string;
