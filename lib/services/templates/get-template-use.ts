import type { TemplateUseDetail } from "@/lib/contracts/template-use";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { daysOf, usagePeriod } from "@/lib/domain/usage-period";
import { serviceNow } from "@/lib/services/clock/service-now";
import { type TemplateScope, type TemplateUseRow, toTemplateUse } from "@/lib/services/templates/template-row";

/**
 * How one template is used: its calls, and the sessions that it was last used in.
 * @param now ends the 30 days; default: the service's
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function getTemplateUse(scope: TemplateScope, templateId: string, now?: Date): Promise<TemplateUseDetail> {
  const period = usagePeriod({}, now ?? (await serviceNow()));
  const values = [templateId, scope.projectId];
  const [template, states, days] = await Promise.all([
    db().query<TemplateUseRow>(
      `SELECT id AS "templateId", usage_count AS "usageCount", last_used_at AS "lastUsedAt"
       FROM templates WHERE id = $1 AND project_id = $2`,
      values,
    ),
    db().query<TemplateUseDetail["sessions"]>(COUNT_BY_STATE, values),
    db().query<{ date: string; sessions: number }>(COUNT_BY_DAY, [...values, period.from, period.to]),
  ]);
  const row = template.rows[0];
  if (!row) throw notFound("The template");
  const byDate = new Map(days.rows.map(({ date, sessions }) => [date, sessions]));
  return {
    ...toTemplateUse(row),
    sessions: states.rows[0] ?? { open: 0, completed: 0, failed: 0, canceled: 0 },
    days: daysOf(period).map((date) => ({ date, sessions: byDate.get(date) ?? 0 })),
  };
}

/** An expired session keeps how its last turn ended: no error code, that of its failure, or CANCELED. */
const COUNT_BY_STATE = `
  SELECT count(*) FILTER (WHERE status IN ('started', 'resumed')) AS open,
         count(*) FILTER (WHERE status IN ('completed', 'expired') AND error_code IS NULL) AS completed,
         count(*) FILTER (WHERE status IN ('failed', 'expired') AND error_code <> 'CANCELED') AS failed,
         count(*) FILTER (WHERE status IN ('canceled', 'expired') AND error_code = 'CANCELED') AS canceled
  FROM sessions WHERE template_id = $1 AND project_id = $2`;

const COUNT_BY_DAY = `
  SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, count(*) AS sessions
  FROM sessions
  WHERE template_id = $1 AND project_id = $2
    AND created_at >= $3::timestamp AT TIME ZONE 'UTC' AND created_at < ($4::date + 1)::timestamp AT TIME ZONE 'UTC'
  GROUP BY 1`;
