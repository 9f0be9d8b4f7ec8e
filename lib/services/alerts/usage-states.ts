import { LOW_CREDITS_SHARE, MOST_USED_SHARE, type UsageAlertKind } from "@/lib/domain/alert-kinds";
import { PLAN_IDS, PLANS } from "@/lib/domain/plans";

/** An account that nears, or has reached, the end of its credits or of its plan's tokens. */
export interface UsageState {
  accountId: string;
  kind: UsageAlertKind;
  planId: string;
  /** Of credits: how many are there. Of tokens: how many the plan has a month. */
  of: number;
  /** Of `credits.low`: credits after the last top-up. Of `credits.out`: calls refused within a day. Of tokens: used this month. */
  by: number;
}

/** Calls that were refused longer ago say nothing of how it is. Whoever put the alert away is told again after it, too. */
const REFUSED_WITHIN = "interval '1 day'";

/** An account that operators made may have had none yet. The first condition is that of the index. */
const LAST_TOP_UP = `
  SELECT e.balance_after, e.created_at FROM ledger_entries e
  WHERE e.account_id = a.id AND e.kind <> 'charge' AND e.kind = 'grant' ORDER BY e.created_at DESC, e.id DESC LIMIT 1`;

/**
 * How accounts stand at present, whether or not they were told; suspended ones can do nothing about it. Columns as in
 * `UsageState`; alerts from before `since` are of something else; one that was put away before `again` is raised anew.
 * Its parameters are `PLAN_VALUES`.
 */
export const USAGE_STATES = `
  SELECT a.id AS account_id, 'credits.low' AS kind, a.plan_id, a.credit_balance AS "of", top.balance_after AS "by",
         top.created_at AS since, top.created_at AS again
  FROM accounts a CROSS JOIN LATERAL (${LAST_TOP_UP}) top
  WHERE a.credit_balance < top.balance_after * ${LOW_CREDITS_SHARE} AND a.verification_status <> 'suspended'
  UNION ALL
  SELECT a.id, 'credits.out', a.plan_id, a.credit_balance, calls.refused, coalesce(top.created_at, a.created_at),
         greatest(top.created_at, now() - ${REFUSED_WITHIN})
  FROM (SELECT c.account_id, count(*) AS refused, max(c.created_at) AS last_at FROM call_logs c
        WHERE c.error_code = 'INSUFFICIENT_CREDITS' AND c.created_at > now() - ${REFUSED_WITHIN}
        GROUP BY c.account_id) calls
  JOIN accounts a ON a.id = calls.account_id LEFT JOIN LATERAL (${LAST_TOP_UP}) top ON true
  WHERE calls.last_at > coalesce(top.created_at, a.created_at) AND a.verification_status <> 'suspended'
  UNION ALL
  SELECT a.id, CASE WHEN p.tokens_used < plan.tokens THEN 'tokens.low' ELSE 'tokens.out' END, a.plan_id, plan.tokens, p.tokens_used,
         p.period_start::timestamp AT TIME ZONE 'UTC', p.period_start::timestamp AT TIME ZONE 'UTC'
  FROM unnest($1::text[], $2::bigint[]) plan (id, tokens)
  JOIN accounts a ON a.plan_id = plan.id
  JOIN account_periods p ON p.account_id = a.id AND p.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
  WHERE p.tokens_used >= plan.tokens * ${MOST_USED_SHARE} AND a.verification_status <> 'suspended'`;

const LIMITED_PLANS = PLAN_IDS.filter((id) => PLANS[id].tokensPerMonth !== null);

/** The plans with a limit: ids, tokens a month. */
export const PLAN_VALUES = [LIMITED_PLANS, LIMITED_PLANS.map((id) => PLANS[id].tokensPerMonth)];
