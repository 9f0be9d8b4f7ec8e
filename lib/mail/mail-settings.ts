import { env } from "@/lib/env";

/** Whether mails can be sent; without, people ask the operator for their links. */
export function isMailConfigured(): boolean {
  return env().SMTP_URL !== undefined;
}
