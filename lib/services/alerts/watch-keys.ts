import type { AlertKind } from "@/lib/domain/alert-kinds";
import { keyWords } from "@/lib/services/alerts/alert-words";
import { IS_OPEN, runWatch, type Watched } from "@/lib/services/alerts/run-watch";

/** Whoever makes a key for some days knows that it ends; those of the playground are such. */
const IS_KEPT = `
  k.revoked_at IS NULL AND k.replaced_by_id IS NULL AND k.expires_at - k.created_at > interval '14 days'`;

interface KeyState {
  kind: Extract<AlertKind, `key.${string}`>;
  /** Of a key `k`: whether it is so now. */
  isSo: string;
  message: (key: WatchedKey) => string;
}

/** A week is time enough to move clients to another key. Of an ended one that nobody used there is nothing to tell. */
const STATES: KeyState[] = [
  {
    kind: "key.expiring",
    isSo: `${IS_KEPT} AND k.expires_at > now() AND k.expires_at <= now() + interval '7 days'`,
    message: (key) =>
      `The ${keyWords(key)} ends on ${endOf(key)}, and calls with it are refused from then on. Rotate it and move its clients to the new key before.`,
  },
  {
    kind: "key.ended",
    isSo: `${IS_KEPT} AND k.expires_at <= now() AND k.expires_at > now() - interval '7 days'
      AND k.last_used_at > k.expires_at - interval '7 days'`,
    message: (key) =>
      `The ${keyWords(key)} ended on ${endOf(key)}, and was used until then. Calls with it are refused: create another key and give it to its clients.`,
  },
];

const END_PAST = (isSo: string) => `
  UPDATE alerts t SET resolved_at = now()
  WHERE t.kind = $1 AND ${IS_OPEN}
    AND NOT EXISTS (SELECT FROM api_keys k WHERE k.id = t.subject_id AND ${isSo})`;

const FIND_NEW = (isSo: string) => `
  SELECT k.id, k.account_id AS "accountId", k.project_id AS "projectId", p.name AS project, k.name, k.hint,
         k.expires_at AS "expiresAt"
  FROM api_keys k JOIN projects p ON p.id = k.project_id JOIN accounts a ON a.id = k.account_id
  WHERE ${isSo} AND a.verification_status <> 'suspended'
    AND NOT EXISTS (SELECT FROM alerts t WHERE t.account_id = k.account_id AND t.kind = $1 AND t.subject_id = k.id)`;

interface WatchedKey {
  id: string;
  accountId: string;
  projectId: string;
  project: string;
  name: string;
  hint: string;
  expiresAt: Date;
}

/**
 * Alerts accounts a week before a key of theirs ends, and when one ends that was in use: its clients are refused from one moment
 * to the next. Each is told once for each key, and ends when the key is rotated or revoked: the first at the key's end, the
 * second a week later.
 * @returns how many alerts were raised and ended
 */
export async function watchKeys(): Promise<Watched> {
  const counts = { raised: 0, ended: 0 };
  for (const { kind, isSo, message } of STATES) {
    const { raised, ended } = await runWatch<WatchedKey>({
      endPast: [END_PAST(isSo), [kind]],
      findNew: [FIND_NEW(isSo), [kind]],
      alertOf: (key) => {
        const { accountId, projectId, id: subjectId } = key;
        return { accountId, projectId, kind, subjectId, message: message(key) };
      },
    });
    counts.raised += raised;
    counts.ended += ended;
  }
  return counts;
}

function endOf({ expiresAt }: WatchedKey): string {
  const at = expiresAt.toISOString();
  return `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}
