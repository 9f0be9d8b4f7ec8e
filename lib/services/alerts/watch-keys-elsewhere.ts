import type { AlertKind } from "@/lib/domain/alert-kinds";
import { count, keyWords, number } from "@/lib/services/alerts/alert-words";
import { IS_OPEN, runWatch, type Watched } from "@/lib/services/alerts/run-watch";
import { IS_USABLE } from "@/lib/services/api-keys/find-keys";

const KIND = "key.elsewhere" satisfies AlertKind;

/** As many as a mail names. */
const NAMED_ADDRESSES = 3;

/** Calls that were refused longer ago say nothing of who has the key now. Whoever put the alert away is told again after it. */
const REFUSED_WITHIN = "interval '1 day'";

/**
 * Keys that still answer, with what was refused of them for its address. Addresses that were allowed since are no longer from
 * elsewhere. Refused calls are read once for all keys of a project, by the index of their code.
 */
const USED_ELSEWHERE = `
  WITH bound AS MATERIALIZED (
    SELECT k.id, k.account_id, k.project_id, k.name, k.hint, k.allowed_networks::inet[] AS networks
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
    WHERE cardinality(k.allowed_networks) > 0 AND ${IS_USABLE} AND a.verification_status <> 'suspended'
  ), s AS MATERIALIZED (
    SELECT k.id, k.account_id, k.project_id, k.name, k.hint, sum(c.calls)::int AS calls,
           array_agg(c.ip ORDER BY c.last_at DESC) FILTER (WHERE c.ip IS NOT NULL) AS addresses
    FROM (SELECT DISTINCT project_id FROM bound) p
    CROSS JOIN LATERAL (
      SELECT l.api_key_id, l.ip, count(*) AS calls, max(l.created_at) AS last_at FROM call_logs l
      WHERE l.project_id = p.project_id AND l.status >= 400 AND l.error_code = 'ADDRESS_NOT_ALLOWED'
        AND l.created_at > now() - ${REFUSED_WITHIN}
      GROUP BY l.api_key_id, l.ip
    ) c
    JOIN bound k ON k.id = c.api_key_id
    WHERE NOT coalesce(c.ip::inet <<= ANY (k.networks), false)
    GROUP BY k.id, k.account_id, k.project_id, k.name, k.hint
  )`;

const END_PAST = `
  ${USED_ELSEWHERE}
  UPDATE alerts t SET resolved_at = now()
  WHERE t.kind = $1 AND ${IS_OPEN} AND NOT EXISTS (SELECT FROM s WHERE s.id = t.subject_id)`;

const FIND_NEW = `
  ${USED_ELSEWHERE}
  SELECT s.id, s.account_id AS "accountId", s.project_id AS "projectId", p.name AS project, s.name, s.hint, s.calls,
         (s.addresses)[1:${NAMED_ADDRESSES}] AS addresses, coalesce(cardinality(s.addresses), 0) AS different
  FROM s JOIN projects p ON p.id = s.project_id
  WHERE NOT EXISTS (SELECT FROM alerts t WHERE t.account_id = s.account_id AND t.kind = $1 AND t.subject_id = s.id
                      AND (${IS_OPEN} OR t.created_at > now() - ${REFUSED_WITHIN}))`;

interface UsedElsewhere {
  id: string;
  accountId: string;
  projectId: string;
  project: string;
  name: string;
  hint: string;
  /** Refused within a day. */
  calls: number;
  /** The newest; null where none is known. */
  addresses: string[] | null;
  /** How many there are. */
  different: number;
}

/**
 * Alerts accounts when a key that is bound to addresses was used from elsewhere: either it has leaked, or a server of theirs was
 * forgotten. Told once a day at most for each key; ends when those addresses are allowed, when the key is revoked or has ended,
 * and after a day without such a call.
 * @returns how many alerts were raised and ended
 */
export function watchKeysElsewhere(): Promise<Watched> {
  return runWatch<UsedElsewhere>({
    endPast: [END_PAST, [KIND]],
    findNew: [FIND_NEW, [KIND]],
    alertOf: (key) => {
      const { accountId, projectId, id: subjectId } = key;
      return { accountId, projectId, kind: KIND, subjectId, message: messageOf(key) };
    },
  });
}

function messageOf(key: UsedElsewhere): string {
  const what = `The ${keyWords(key)} was used from ${addressWords(key)}, where it is not allowed to be`;
  const calls = `${count(key.calls, "call")} of the last 24 hours ${key.calls === 1 ? "was" : "were"} refused`;
  return `${what}: ${calls}. If that is a server of yours, allow its address. If not, rotate the key: somebody else has it.`;
}

/** "203.0.113.9", "203.0.113.9, 198.51.100.2 and 4 other addresses" */
function addressWords({ addresses, different }: UsedElsewhere): string {
  if (addresses === null) return "an address that is not known";
  const more = different - addresses.length;
  const others = more > 0 ? [`${number(more)} other ${more === 1 ? "address" : "addresses"}`] : [];
  const named = [...addresses, ...others];
  return [named.slice(0, -1).join(", "), named.at(-1)].filter(Boolean).join(" and ");
}
