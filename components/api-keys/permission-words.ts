import type { Permission } from "@/lib/domain/permissions";

/** What each permission opens, as the contract's endpoints name it (§5.6). */
export const PERMISSION_WORDS: Record<Permission, { name: string; text: string }> = {
  process: { name: "process", text: "Send files, read and download what became of them" },
  chat: { name: "chat", text: "Send messages, read conversations, follow streams" },
  templates: { name: "templates", text: "Create, change and delete prompt templates" },
  b2bSend: { name: "b2bSend", text: "The one call that takes messages and files alike" },
};
