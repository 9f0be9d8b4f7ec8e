import type { AlertKind } from "@/lib/domain/alert-kinds";
import type { TurnErrorCode } from "@/lib/domain/turn-errors";
import { number, projectWords } from "@/lib/services/alerts/alert-words";
import { IS_OPEN, runWatch, type Watched } from "@/lib/services/alerts/run-watch";

const KIND = "sessions.failing" satisfies AlertKind;

/** What no other input would have helped: the model, its settings, or we. What clients send wrong is theirs to see. */
const NOT_OF_INPUT: TurnErrorCode[] = [
  "MODEL_RATE_LIMITED",
  "MODEL_UNAVAILABLE",
  "MODEL_TIMEOUT",
  "MODEL_NOT_CONFIGURED",
  "INTERNAL_ERROR",
];

/** Fewer are no outage. */
const LEAST_FAILED = 10;
/** As many of a project as are looked at, its newest: of one that has much to do, those of the last seconds. */
const LOOKED_AT = 400;
const BEGUN_WITHIN = "interval '1 hour'";
/** An outage that comes and goes is told of once. */
const TOLD_AGAIN_AFTER = "interval '6 hours'";

/** One short look at an index for each project, whose sessions stand there newest first. */
const FAILING = `
  WITH s AS MATERIALIZED (
    SELECT p.id, p.account_id, p.name, c.failed, c.ended, c.code
    FROM projects p JOIN accounts a ON a.id = p.account_id
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE failed)::int AS failed, count(*)::int AS ended,
             mode() WITHIN GROUP (ORDER BY error_code) FILTER (WHERE failed) AS code
      FROM (
        SELECT error_code, coalesce(error_code = ANY ($2::text[]), false) AS failed FROM (
          SELECT error_code, open_turns FROM sessions
          WHERE project_id = p.id AND created_at > now() - ${BEGUN_WITHIN} ORDER BY created_at DESC, id DESC LIMIT ${LOOKED_AT}
        ) newest WHERE open_turns = 0
      ) looked
    ) c
    WHERE a.verification_status <> 'suspended' AND c.failed >= ${LEAST_FAILED} AND 2 * c.failed >= c.ended
  )`;

const END_PAST = `
  ${FAILING}
  UPDATE alerts t SET resolved_at = now()
  WHERE t.kind = $1 AND ${IS_OPEN} AND NOT EXISTS (SELECT FROM s WHERE s.id = t.project_id)`;

const FIND_NEW = `
  ${FAILING}
  SELECT s.id AS "projectId", s.account_id AS "accountId", s.name, s.failed, s.ended, s.code
  FROM s
  WHERE NOT EXISTS (SELECT FROM alerts t WHERE t.account_id = s.account_id AND t.kind = $1 AND t.project_id = s.id
                      AND (${IS_OPEN} OR t.created_at > now() - ${TOLD_AGAIN_AFTER}))`;

interface FailingProject {
  projectId: string;
  accountId: string;
  name: string;
  failed: number;
  /** Those among them. */
  ended: number;
  /** Of most of them. */
  code: string;
}

/**
 * Alerts accounts when half of a project's newest sessions fail, ten at least, for no fault of what was sent: the model is away, or
 * its settings are wrong. It ends when they do so no longer.
 * @returns how many alerts were raised and ended
 */
export function watchFailingSessions(): Promise<Watched> {
  return runWatch<FailingProject>({
    endPast: [END_PAST, [KIND, NOT_OF_INPUT]],
    findNew: [FIND_NEW, [KIND, NOT_OF_INPUT]],
    alertOf: (project) => {
      const { accountId, projectId } = project;
      return { accountId, projectId, kind: KIND, message: messageOf(project) };
    },
  });
}

function messageOf({ name, failed, ended, code }: FailingProject): string {
  const share = failed === ended ? `The newest ${number(ended)}` : `${number(failed)} of the newest ${number(ended)}`;
  return `${share} sessions of the ${projectWords(name)} failed within the last hour, most of them with ${code}. They cost nothing. Once the AI model answers again, have all of them tried again in the panel, Sessions.`;
}
