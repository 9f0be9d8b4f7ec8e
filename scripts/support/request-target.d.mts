export function pathOfTarget(target: string): string;
