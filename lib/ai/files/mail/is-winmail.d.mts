export declare function isWinmail(bytes: Uint8Array): boolean;
