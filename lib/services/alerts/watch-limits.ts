import { LIMIT_ALERT_KINDS } from "@/lib/domain/alert-kinds";
import { count, keyWords, nextMonth, number, projectWords } from "@/lib/services/alerts/alert-words";
import { LIMIT_STATES, type LimitState } from "@/lib/services/alerts/limit-states";
import { IS_OPEN, runWatch, type Watched } from "@/lib/services/alerts/run-watch";

/** A limit that was changed is another one. */
const IS_OF = `t.account_id = s.account_id AND t.project_id = s.project_id AND t.subject_id IS NOT DISTINCT FROM s.key_id AND t.kind = s.kind
  AND t.created_at >= s.month AND (t.data->>'allowed')::int = s.allowed`;

/** Worked out once: for each alert anew it would take hours. */
const STATES = `WITH s AS MATERIALIZED (${LIMIT_STATES})`;

const END_PAST = `
  ${STATES}
  UPDATE alerts t SET resolved_at = now()
  WHERE t.kind = ANY ($1::text[]) AND ${IS_OPEN} AND NOT EXISTS (SELECT FROM s WHERE ${IS_OF})`;

const FIND_NEW = `
  ${STATES}
  SELECT s.account_id AS "accountId", s.project_id AS "projectId", s.project, s.key_id AS "keyId", s.key_name AS "keyName",
         s.key_hint AS "keyHint", s.kind, s.allowed::float8 AS allowed, s.used::float8 AS used, now() AS at
  FROM s WHERE NOT EXISTS (SELECT FROM alerts t WHERE ${IS_OF})`;

/**
 * Alerts accounts when four fifths of what a project or a key may use in a month are used, and once more when all is; ends the
 * alert with the month, or when the limit is raised or lifted. Each is told once per month and limit. End users are not watched:
 * there may be any number of them, and their limit is each one's own matter.
 * @returns how many alerts were raised and ended
 */
export function watchLimits(): Promise<Watched> {
  return runWatch<LimitState & { at: Date }>({
    endPast: [END_PAST, [LIMIT_ALERT_KINDS]],
    findNew: [FIND_NEW],
    alertOf: ({ at, ...state }) => {
      const { accountId, projectId, keyId, kind, allowed, used } = state;
      return { accountId, projectId, kind, subjectId: keyId, message: messageOf(state, at), data: { allowed, used } };
    },
  });
}

function messageOf(state: LimitState, now: Date): string {
  const { project, keyId, keyName, keyHint, kind, allowed, used } = state;
  const isKey = keyId !== null;
  const who = `The ${isKey ? keyWords({ name: keyName ?? "", hint: keyHint ?? "", project }) : projectWords(project)}`;
  const may = `${who} may use ${count(allowed, "credit")} a month`;
  const until = `until ${nextMonth(now)}, or until the limit is raised`;
  if (kind === "limit.low") {
    return `${may}, and ${number(used)} are used. When all are, its calls are refused ${until}.`;
  }
  return `${may}, and all are used: its calls are refused with ${isKey ? "KEY" : "PROJECT"}_LIMIT_REACHED ${until}.`;
}
