export function contentSecurityPolicy(options: { nonce?: string; isDevelopment: boolean }): string;
