export function pathOfTarget(target: string): string;
export function withoutObjectNames(target: string): string;
