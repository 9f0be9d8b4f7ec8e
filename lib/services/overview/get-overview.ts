import type { Overview, OverviewPoint, PlanMeter, StartStep } from "@/lib/contracts/overview";
import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { type OverviewRange, overviewBuckets } from "@/lib/domain/overview-range";
import { isPlanId, PLANS, SIGN_UP_PLAN } from "@/lib/domain/plans";
import type { ProjectScope } from "@/lib/domain/principal";
import { dateOf, monthOf } from "@/lib/domain/usage-period";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { readCallPoints, readUsagePoints } from "@/lib/services/overview/read-points";

const SHOWN_ALERTS = 5;

/**
 * What the panel shows first: calls, tokens, credits and errors of the project over time; plan, alerts and first steps.
 * @param asOf ends the range and decides the plan's period. Default: the database's clock, by which all of it is written
 * @throws AppError NOT_FOUND, also when the project is another account's
 */
export async function getOverview(scope: ProjectScope, range: OverviewRange, asOf?: Date): Promise<Overview> {
  const now = asOf ?? (await databaseNow(prisma()));
  const buckets = overviewBuckets(range, now);
  const [state, calls, usage, alerts] = await Promise.all([
    readState(scope, now),
    readCallPoints(scope, buckets),
    readUsagePoints(scope, buckets),
    listAlerts(scope, { limit: SHOWN_ALERTS, offset: 0 }),
  ]);
  const points = buckets.starts.map((start): OverviewPoint => {
    const at = start.toISOString();
    return { at, ...NOTHING, ...calls.get(at), ...usage.get(at) };
  });
  return {
    range,
    unit: buckets.unit,
    points,
    totals: sum(points),
    plan: toPlanMeter(state, now),
    verification: state.verification,
    alerts: alerts.data,
    alertCount: alerts.pagination.total,
    steps: toSteps(state),
  };
}

const NOTHING: Omit<OverviewPoint, "at"> = {
  requests: 0,
  clientErrors: 0,
  serverErrors: 0,
  tokensIn: 0,
  tokensOut: 0,
  creditsUsed: 0,
};

function sum(points: readonly OverviewPoint[]): Overview["totals"] {
  const totals = { ...NOTHING };
  for (const point of points) for (const name of NAMES) totals[name] += point[name];
  return totals;
}

const NAMES = Object.keys(NOTHING) as (keyof typeof NOTHING)[];

/**
 * How much of the account's plan and credits is left.
 * @param asOf decides the plan's period. Default: the database's clock
 * @throws AppError NOT_FOUND, also when the project is another account's
 */
export async function getPlanMeter(scope: ProjectScope, asOf?: Date): Promise<PlanMeter> {
  const now = asOf ?? (await databaseNow(prisma()));
  return toPlanMeter(await readState(scope, now), now);
}

interface StateRow {
  verification: string;
  wasVerified: boolean;
  planId: string;
  balance: number;
  reserved: number;
  tokensUsed: number;
  creditsUsed: number;
  hasKey: boolean;
  hasCall: boolean;
  hasWebhook: boolean;
  hasTemplate: boolean;
  hasAnswer: boolean;
}

/** An expired session without an error completed before it expired. */
const READ_STATE = `
  SELECT a.verification_status AS verification, a.verified_at IS NOT NULL AS "wasVerified", a.plan_id AS "planId",
         a.credit_balance AS balance,
         a.credit_reserved AS reserved, coalesce(m.tokens_used, 0) AS "tokensUsed",
         coalesce(m.credits_used, 0) AS "creditsUsed",
         EXISTS (SELECT FROM api_keys k WHERE k.project_id = p.id) AS "hasKey",
         EXISTS (SELECT FROM call_hours h WHERE h.project_id = p.id) AS "hasCall",
         EXISTS (SELECT FROM webhook_registrations w WHERE w.project_id = p.id) AS "hasWebhook",
         EXISTS (SELECT FROM templates t WHERE t.project_id = p.id) AS "hasTemplate",
         EXISTS (SELECT FROM sessions s WHERE s.project_id = p.id AND s.status = 'completed')
         OR EXISTS (SELECT FROM sessions s WHERE s.project_id = p.id AND s.status = 'expired' AND s.error_code IS NULL)
           AS "hasAnswer"
  FROM projects p
  JOIN accounts a ON a.id = p.account_id
  LEFT JOIN account_periods m ON m.account_id = a.id AND m.period_start = $3::date
  WHERE p.id = $2 AND a.id = $1`;

async function readState({ accountId, projectId }: ProjectScope, now: Date): Promise<StateRow> {
  const { rows } = await db().query<StateRow>(READ_STATE, [accountId, projectId, dateOf(monthOf(now).start)]);
  if (!rows[0]) throw notFound("The project");
  return rows[0];
}

function toPlanMeter(state: StateRow, now: Date): PlanMeter {
  const id = isPlanId(state.planId) ? state.planId : SIGN_UP_PLAN;
  const { start, end } = monthOf(now);
  return {
    id,
    name: PLANS[id].name,
    tokenLimit: PLANS[id].tokensPerMonth,
    tokensUsed: state.tokensUsed,
    periodStart: start.toISOString(),
    periodEnd: end.toISOString(),
    credits: { balance: state.balance, reserved: state.reserved, usedThisPeriod: state.creditsUsed },
  };
}

function toSteps(state: StateRow): Overview["steps"] {
  const done: [StartStep, boolean][] = [
    // A suspension may also come before it; whoever was verified has nothing to hand in.
    ["verify", state.verification === "verified" || (state.verification === "suspended" && state.wasVerified)],
    ["create-key", state.hasKey],
    ["first-call", state.hasCall],
    ["webhook", state.hasWebhook],
    ["template", state.hasTemplate],
    ["first-answer", state.hasAnswer],
  ];
  return done.map(([step, isDone]) => ({ step, isDone }));
}
