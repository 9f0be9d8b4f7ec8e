import { enqueueBehind } from "@/lib/db/outbox";
import { inTransaction } from "@/lib/db/pool";
import { MAIL_DAYS } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** A mail server that does its work takes a mail sooner. */
const GRACE_SECONDS = 600;
const LIMIT = 1_000;

/**
 * Hands mails to the queue again that have waited for minutes, in case it lost them. One that it had after all is sent once
 * all the same: the queue tries a mail once at a time, and who comes second finds it gone. Those go first that never were, or not
 * for longest: thousands that nobody takes would keep newer ones waiting. Call it seldom: each time adds tries at a mail server
 * that is away.
 * @returns how many were handed over
 */
export async function redispatchMails(graceSeconds = GRACE_SECONDS): Promise<number> {
  const count = await inTransaction(async (tx) => {
    const { rows } = await tx.query<{ mailId: string }>(
      `WITH forgotten AS (
         SELECT id FROM mails
         WHERE created_at < now() - make_interval(secs => $1) AND created_at > now() - make_interval(days => $2)
         ORDER BY redispatched_at NULLS FIRST, created_at LIMIT ${LIMIT} FOR UPDATE SKIP LOCKED)
       UPDATE mails m SET redispatched_at = now() FROM forgotten WHERE m.id = forgotten.id
       RETURNING m.id AS "mailId"`,
      [graceSeconds, MAIL_DAYS],
    );
    return enqueueBehind(
      tx,
      rows.map((data) => ({ name: "mail/ready", data })),
    );
  });
  if (count > 0) wakeRelay();
  return count;
}
