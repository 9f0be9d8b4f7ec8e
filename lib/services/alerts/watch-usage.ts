import { USAGE_ALERT_KINDS } from "@/lib/domain/alert-kinds";
import { IS_OPEN, runWatch, type Watched } from "@/lib/services/alerts/run-watch";
import { usageAlertMessage } from "@/lib/services/alerts/usage-alert-message";
import { PLAN_VALUES, USAGE_STATES, type UsageState } from "@/lib/services/alerts/usage-states";

/** A plan's tokens are another's after a change of plan. */
const IS_OF = `t.account_id = s.account_id AND t.kind = s.kind AND t.created_at > s.since
  AND (s.kind LIKE 'credits.%' OR t.data->>'planId' = s.plan_id)`;

/** Worked out once: for each alert anew it would take hours. */
const STATES = `WITH s AS MATERIALIZED (${USAGE_STATES})`;

const END_PAST = `
  ${STATES}
  UPDATE alerts t SET resolved_at = now()
  WHERE t.kind = ANY ($3::text[]) AND ${IS_OPEN} AND NOT EXISTS (SELECT FROM s WHERE ${IS_OF})`;

const FIND_NEW = `
  ${STATES}
  SELECT s.account_id AS "accountId", s.kind, s.plan_id AS "planId", s."of"::float8 AS "of", s."by"::float8 AS "by", now() AS at
  FROM s WHERE NOT EXISTS (SELECT FROM alerts t WHERE ${IS_OF} AND (t.created_at > s.again OR (${IS_OPEN})))`;

/**
 * Alerts accounts whose credits or tokens go to an end before their calls are refused, and once more when they are; ends
 * the alert when there is enough again. Each is told once: per top-up of credits, per month and plan of tokens.
 * @returns how many alerts were raised and ended
 */
export function watchUsage(): Promise<Watched> {
  return runWatch<UsageState & { at: Date }>({
    endPast: [END_PAST, [...PLAN_VALUES, USAGE_ALERT_KINDS]],
    findNew: [FIND_NEW, PLAN_VALUES],
    alertOf: ({ at, ...state }) => {
      const { accountId, kind, planId, of, by } = state;
      return { accountId, kind, message: usageAlertMessage(state, at), data: { planId, of, by } };
    },
  });
}
