import { inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { oneLine } from "@/lib/services/mail/compose-mail";

/** Time enough to move clients to another key. */
const AHEAD = "interval '7 days'";
/** Whoever makes a key for some days knows that it ends; those of the playground are such. */
const SHORT_LIVED = "interval '14 days'";
/** Clients that were forgotten are refused by then: the alert stands on for a while. */
const AFTERWARDS = "interval '7 days'";

/** A key that nobody has replaced, near its end. */
const IS_ENDING = `
  k.revoked_at IS NULL AND k.replaced_by_id IS NULL AND k.expires_at <= now() + ${AHEAD} AND k.expires_at > now() - ${AFTERWARDS}
  AND k.expires_at - k.created_at > ${SHORT_LIVED}`;

const END_PAST = `
  UPDATE alerts t SET resolved_at = now()
  WHERE t.kind = 'key.expiring' AND t.resolved_at IS NULL AND t.dismissed_at IS NULL
    AND NOT EXISTS (SELECT FROM api_keys k WHERE k.id = t.subject_id AND ${IS_ENDING})`;

const FIND_NEW = `
  SELECT k.id, k.account_id AS "accountId", k.project_id AS "projectId", p.name AS project, k.name, k.hint,
         k.expires_at AS "expiresAt"
  FROM api_keys k JOIN projects p ON p.id = k.project_id JOIN accounts a ON a.id = k.account_id
  WHERE ${IS_ENDING} AND k.expires_at > now() AND a.verification_status <> 'suspended'
    AND NOT EXISTS (SELECT FROM alerts t WHERE t.account_id = k.account_id AND t.kind = 'key.expiring' AND t.subject_id = k.id)`;

interface EndingKey {
  id: string;
  accountId: string;
  projectId: string;
  project: string;
  name: string;
  hint: string;
  expiresAt: Date;
}

const RAISE = `
  INSERT INTO alerts (id, account_id, project_id, kind, subject_id, message)
  SELECT a.id, a.account_id, a.project_id, 'key.expiring', a.subject_id, a.message
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) a (id, account_id, project_id, subject_id, message)`;

/**
 * Alerts accounts a week before a key of theirs ends, once for each key: its clients are refused from one moment to the next.
 * Ends the alert when the key is rotated or revoked, and a week after the key's end. Not safe beside itself: its function runs
 * once at a time.
 * @returns how many alerts were raised and ended
 */
export async function watchKeys(): Promise<{ raised: number; ended: number }> {
  return inTransaction(async (tx) => {
    const ended = await tx.query(END_PAST);
    const { rows } = await tx.query<EndingKey>(FIND_NEW);
    if (rows.length > 0) {
      await tx.query(RAISE, [
        rows.map(() => newId("alert")),
        rows.map(({ accountId }) => accountId),
        rows.map(({ projectId }) => projectId),
        rows.map(({ id }) => id),
        rows.map(messageOf),
      ]);
    }
    return { raised: rows.length, ended: ended.rowCount ?? 0 };
  });
}

function messageOf({ name, hint, project, expiresAt }: EndingKey): string {
  const at = expiresAt.toISOString();
  return `The key “${oneLine(name)}” (…${hint}) of the project “${oneLine(project)}” ends on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC, and calls with it are refused from then on. Rotate it and move its clients to the new key before.`;
}
