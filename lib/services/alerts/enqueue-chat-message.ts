import { enqueueEvents } from "@/lib/db/outbox";
import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";

/** With the row of the chat: one that is being removed takes no more messages. */
const INSERT = `
  INSERT INTO chat_messages (id, account_id, text, is_test)
  SELECT $1, c.account_id, $3, $4 FROM alert_chats c WHERE c.account_id = $2 FOR KEY SHARE OF c`;

/**
 * Has a message sent to the account's chat once the caller's transaction commits, where it has one. Wake the relay after the
 * commit (`wakeRelay`).
 */
export async function enqueueChatMessage(
  tx: Transaction,
  { accountId, text, isTest = false }: { accountId: string; text: string; isTest?: boolean },
): Promise<void> {
  const messageId = newId("chatMessage");
  const { rowCount } = await tx.query({ text: INSERT, values: [messageId, accountId, text, isTest] });
  if (rowCount) await enqueueEvents(tx, [{ name: "chat-message/ready", data: { messageId } }]);
}
