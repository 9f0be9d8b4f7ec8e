import { enqueueEvents } from "@/lib/db/outbox";
import { inTransaction } from "@/lib/db/pool";
import { NEWS_SECONDS } from "@/lib/services/alerts/claim-news";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** A chat that is there takes a message sooner. */
const GRACE_SECONDS = 600;
const LIMIT = 1_000;

/**
 * Hands messages to chats to the queue again that have waited for minutes, in case it lost them, and forgets those that are no
 * news any more. One that it had after all is sent once: the queue tries a message once at a time, and who comes second finds it
 * gone. Call it seldom: each time adds tries at a chat that is away.
 * @returns how many were handed over
 */
export async function redispatchChatMessages(graceSeconds = GRACE_SECONDS): Promise<number> {
  const count = await inTransaction(async (tx) => {
    await tx.query("DELETE FROM chat_messages WHERE created_at <= now() - make_interval(secs => $1)", [NEWS_SECONDS]);
    const { rows } = await tx.query<{ messageId: string }>(
      `SELECT id AS "messageId" FROM chat_messages
       WHERE created_at < now() - make_interval(secs => $1) AND NOT is_test ORDER BY created_at LIMIT ${LIMIT}`,
      [graceSeconds],
    );
    return enqueueEvents(
      tx,
      rows.map((data) => ({ name: "chat-message/ready", data })),
    );
  });
  if (count > 0) wakeRelay();
  return count;
}
