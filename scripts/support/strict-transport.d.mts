export declare const STRICT_TRANSPORT: string;
