import type { QueryConfig } from "pg";
import type { UsageQuery, UsageReport } from "@/lib/contracts/usage";
import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { ProjectScope } from "@/lib/domain/principal";
import { type DayPeriod, daysOf, usagePeriod } from "@/lib/domain/usage-period";
import { costOf } from "@/lib/services/usage/cost-of";

/**
 * Consumption of a project per day and endpoint: what `usage_days` holds, which the end of each turn writes together with
 * the ledger, and its sums over all end users.
 * @param asOf for the default period. Default: the database's clock, by which usage is written
 * @throws AppError VALIDATION_FAILED when the period is too long or ends before it begins
 */
export async function getUsage(scope: ProjectScope, query: UsageQuery, asOf?: Date): Promise<UsageReport> {
  const { projectId } = scope;
  const { endUserId } = query;
  return report(query, asOf, ({ from, to }) =>
    endUserId === undefined
      ? { ...OF_PROJECT, values: [projectId, from, to] }
      : { ...OF_END_USER, values: [projectId, from, to, endUserId] },
  );
}

/**
 * Consumption of the key's account over all its projects, as its ledger has it (contract §7). Of one end user it is
 * that of the key's project: another project's end user of the same name is somebody else.
 * @param asOf for the default period. Default: the database's clock, by which usage is written
 * @throws AppError VALIDATION_FAILED when the period is too long or ends before it begins
 */
export async function getAccountUsage(scope: ProjectScope, query: UsageQuery, asOf?: Date): Promise<UsageReport> {
  if (query.endUserId !== undefined) return getUsage(scope, query, asOf);
  return report(query, asOf, ({ from, to }) => ({ ...OF_ACCOUNT, values: [scope.accountId, from, to] }));
}

async function report(
  query: UsageQuery,
  asOf: Date | undefined,
  rowsOf: (period: DayPeriod) => QueryConfig,
): Promise<UsageReport> {
  const period = usagePeriod(query, asOf ?? (await databaseNow(prisma())));
  const { rows } = await db().query<UsageRow>(rowsOf(period));
  const byDay = groupBy(rows, ({ day }) => day);
  const byEndpoint = groupBy(rows, ({ endpoint }) => endpoint);
  const endpoints = [...byEndpoint].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...period,
    totals: sum(rows),
    days: daysOf(period).map((date) => ({ date, ...sum(byDay.get(date) ?? []) })),
    endpoints: endpoints.map(([endpoint, group]) => ({ endpoint, ...sum(group) })),
  };
}

/** An account may have many projects: they are added up before they are sent. */
const OF_ACCOUNT = {
  name: "get-account-usage",
  text: `
    SELECT to_char(day, 'YYYY-MM-DD') AS day, endpoint, sum(requests) AS requests, sum(tokens_in) AS "tokensIn",
           sum(tokens_out) AS "tokensOut", sum(credits) AS credits
    FROM usage_totals WHERE account_id = $1 AND day BETWEEN $2::date AND $3::date GROUP BY usage_totals.day, endpoint`,
};

/** A project may have had any number of end users: over all of them, usage is added up already. */
const OF_PROJECT = {
  name: "get-usage",
  text: `
    SELECT to_char(day, 'YYYY-MM-DD') AS day, endpoint, requests, tokens_in AS "tokensIn", tokens_out AS "tokensOut", credits
    FROM usage_totals WHERE project_id = $1 AND day BETWEEN $2::date AND $3::date`,
};

const OF_END_USER = {
  name: "get-usage-of-end-user",
  text: `
    SELECT to_char(day, 'YYYY-MM-DD') AS day, endpoint, requests, tokens_in AS "tokensIn", tokens_out AS "tokensOut", credits
    FROM usage_days WHERE project_id = $1 AND day BETWEEN $2::date AND $3::date AND end_user_id = $4`,
};

interface UsageRow {
  day: string;
  endpoint: string;
  requests: number;
  tokensIn: number;
  tokensOut: number;
  credits: number;
}

function groupBy(rows: UsageRow[], keyOf: (row: UsageRow) => string): Map<string, UsageRow[]> {
  const groups = new Map<string, UsageRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

function sum(rows: readonly UsageRow[]): UsageReport["totals"] {
  const of = (name: "requests" | "tokensIn" | "tokensOut" | "credits") =>
    rows.reduce((total, row) => total + row[name], 0);
  const [tokensIn, tokensOut, creditsUsed] = [of("tokensIn"), of("tokensOut"), of("credits")];
  return {
    requests: of("requests"),
    tokensIn,
    tokensOut,
    tokensUsed: tokensIn + tokensOut,
    creditsUsed,
    cost: costOf(creditsUsed),
  };
}
