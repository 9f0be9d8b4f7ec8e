export function searchRow(count: number, most: number, ask: (index: number) => Promise<unknown>): Promise<void>;
