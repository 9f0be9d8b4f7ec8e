import type { UsageQuery, UsageReport } from "@/lib/contracts/usage";
import { db } from "@/lib/db/pool";
import type { Principal } from "@/lib/domain/principal";
import { daysOf, usagePeriod } from "@/lib/domain/usage-period";
import { costOf } from "@/lib/services/usage/cost-of";

/**
 * Consumption of the key's project per day and endpoint (contract §7): what `usage_days` holds, which the end of each
 * turn writes together with the ledger, and its sums over all end users.
 * @param now for the default period
 * @throws AppError VALIDATION_FAILED when the period is too long or ends before it begins
 */
export async function getUsage(principal: Principal, query: UsageQuery, now = new Date()): Promise<UsageReport> {
  const period = usagePeriod(query, now);
  const { projectId } = principal;
  const { endUserId } = query;
  const { rows } = await db().query<UsageRow>(
    endUserId === undefined
      ? { ...OF_ALL, values: [projectId, period.from, period.to] }
      : { ...OF_END_USER, values: [projectId, period.from, period.to, endUserId] },
  );
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

/** A project may have had any number of end users: over all of them, usage is added up already. */
const OF_ALL = {
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
