import type { KeyUsageShare } from "@/lib/contracts/usage-breakdown";
import { db } from "@/lib/db/pool";
import type { ProjectScope } from "@/lib/domain/principal";
import type { DayPeriod } from "@/lib/domain/usage-period";
import { IS_USABLE } from "@/lib/services/api-keys/find-keys";
import { IS_PLAYGROUND } from "@/lib/services/api-keys/is-playground";

/**
 * One statement, so that what no key is known of is what is left of the same sums. Keys that take calls and used nothing are there
 * too: that is what their owner wants to know of them. The playground's are one line together.
 */
const KEY_USAGE = {
  name: "list-key-usage",
  text: `
    WITH project AS (SELECT id FROM projects WHERE id = $1 AND account_id = $4),
    used AS (
      SELECT u.api_key_id, sum(u.requests) AS requests, sum(u.tokens_in) AS tokens_in, sum(u.tokens_out) AS tokens_out,
             sum(u.credits) AS credits
      FROM usage_key_days u JOIN project ON project.id = u.project_id
      WHERE u.day BETWEEN $2::date AND $3::date GROUP BY 1
    ),
    of_keys AS (
      SELECT CASE WHEN k.id IS NULL THEN 'panel' WHEN ${IS_PLAYGROUND} THEN 'playground' ELSE 'key' END AS source,
             CASE WHEN NOT ${IS_PLAYGROUND} THEN k.id END AS id, k.name, k.hint, ${IS_USABLE} AS is_usable, k.created_at, used.*
      FROM used FULL JOIN (SELECT k.* FROM api_keys k JOIN project ON project.id = k.project_id) k ON k.id = used.api_key_id
      WHERE CASE WHEN k.id IS NULL THEN used.api_key_id = ''
                 ELSE used.api_key_id IS NOT NULL OR (${IS_USABLE} AND NOT ${IS_PLAYGROUND}) END
    ),
    share AS (
      SELECT source, id, min(name) AS name, min(hint) AS hint, bool_or(is_usable) AS is_usable, max(created_at) AS created_at,
             coalesce(sum(requests), 0) AS requests, coalesce(sum(tokens_in), 0) AS tokens_in,
             coalesce(sum(tokens_out), 0) AS tokens_out, coalesce(sum(credits), 0) AS credits
      FROM of_keys GROUP BY source, id
    ),
    rest AS (
      SELECT 'unknown', NULL, NULL, NULL, NULL::boolean, NULL::timestamptz, t.requests - k.requests, t.tokens_in - k.tokens_in,
             t.tokens_out - k.tokens_out, t.credits - k.credits
      FROM (SELECT coalesce(sum(u.requests), 0) AS requests, coalesce(sum(u.tokens_in), 0) AS tokens_in,
                   coalesce(sum(u.tokens_out), 0) AS tokens_out, coalesce(sum(u.credits), 0) AS credits
            FROM usage_totals u JOIN project ON project.id = u.project_id WHERE u.day BETWEEN $2::date AND $3::date) t,
           (SELECT coalesce(sum(requests), 0) AS requests, coalesce(sum(tokens_in), 0) AS tokens_in,
                   coalesce(sum(tokens_out), 0) AS tokens_out, coalesce(sum(credits), 0) AS credits FROM share) k
      WHERE t.requests > k.requests
    )
    SELECT source, id, name, hint, is_usable AS "isUsable", requests, tokens_in AS "tokensIn", tokens_out AS "tokensOut",
           credits AS "creditsUsed"
    FROM (SELECT * FROM share UNION ALL SELECT * FROM rest) line
    ORDER BY source = 'unknown', credits DESC, requests DESC, created_at, id`,
};

interface ShareRow extends Omit<KeyUsageShare, "key"> {
  id: string | null;
  name: string;
  hint: string;
  isUsable: boolean;
}

/**
 * What was used with each of the project's API keys in a period, the largest first, and what without one; the lines add up to the
 * project's usage of these days.
 */
export async function listKeyUsage(
  { accountId, projectId }: ProjectScope,
  { from, to }: DayPeriod,
): Promise<KeyUsageShare[]> {
  const { rows } = await db().query<ShareRow>({
    ...KEY_USAGE,
    values: [projectId, from, to, accountId],
  });
  return rows.map(({ id, name, hint, isUsable, ...figures }) => ({
    ...figures,
    key: id === null ? null : { id, name, hint, isUsable },
  }));
}
