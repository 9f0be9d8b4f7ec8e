export declare function isSigned(bytes: Uint8Array): boolean;
export declare function isEncrypted(bytes: Uint8Array): boolean;
export declare function signedContent(bytes: Uint8Array): Buffer | undefined;
export declare function withoutSignature(bytes: Uint8Array): Uint8Array;
