import type { AlertChatRecord } from "@/lib/contracts/alert-chat";
import { db } from "@/lib/db/pool";
import { CHAT_NAMES, type ChatApp } from "@/lib/domain/chat-address";

/** A test that waits for longer has been lost on its way: another one may be sent. */
export const TEST_SECONDS = 60;

/** Of messages as `m`: a test that is on its way. */
export const IS_RUNNING_TEST = `m.is_test AND m.created_at > now() - interval '${TEST_SECONDS} seconds'`;

interface ChatRow extends Omit<AlertChatRecord, "name" | "sentAt" | "failedAt"> {
  app: string;
  sentAt: Date | null;
  failedAt: Date | null;
}

/** The chat that the account's alerts are told of in, and how the last message to it went; null: there is none. */
export async function findAlertChat(accountId: string): Promise<AlertChatRecord | null> {
  const { rows } = await db().query<ChatRow>(
    `SELECT c.app, c.host, c.hint, c.sent_at AS "sentAt", c.failed_at AS "failedAt", c.failure,
            EXISTS (SELECT FROM chat_messages m WHERE m.account_id = c.account_id AND ${IS_RUNNING_TEST}) AS "isTested"
     FROM alert_chats c WHERE c.account_id = $1`,
    [accountId],
  );
  const [row] = rows;
  if (!row) return null;
  const { app, sentAt, failedAt, ...chat } = row;
  return {
    ...chat,
    name: CHAT_NAMES[app as ChatApp],
    sentAt: sentAt?.toISOString() ?? null,
    failedAt: failedAt?.toISOString() ?? null,
  };
}
