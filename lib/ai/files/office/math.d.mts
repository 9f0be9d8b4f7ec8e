export declare function group(text: string): string;
