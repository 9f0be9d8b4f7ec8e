export declare const MAX_RAISED_CHARACTERS: number;
export declare function raise(text: string): string;
