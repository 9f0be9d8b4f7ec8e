/** What an API key may do (§5.6). */
export const PERMISSIONS = ["process", "chat", "templates", "b2bSend"] as const;

export type Permission = (typeof PERMISSIONS)[number];
