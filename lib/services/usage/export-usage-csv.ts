import type { UsageQuery } from "@/lib/contracts/usage";
import type { UsageFigures } from "@/lib/contracts/usage-breakdown";
import { db } from "@/lib/db/pool";
import { type CsvCell, csvDocument } from "@/lib/domain/csv";
import type { ProjectScope } from "@/lib/domain/principal";
import { type DayPeriod, usagePeriod } from "@/lib/domain/usage-period";
import { USAGE_COLUMNS, usageCells } from "@/lib/services/usage/usage-cells";

const BATCH_SIZE = 1_000;

const HEADER = ["date", "endpoint", "endUserId", ...USAGE_COLUMNS];

/**
 * The project's consumption as CSV in pieces: a line per day, endpoint and end user. However many there are, a batch at a
 * time is held, and no transaction is open between two.
 * @param now for the default period
 * @throws AppError VALIDATION_FAILED when the period is too long or ends before it begins, before the first piece
 */
export function exportUsageCsv(scope: ProjectScope, query: UsageQuery, now = new Date()): AsyncGenerator<string, void> {
  return csvDocument(HEADER, batches(scope, usagePeriod(query, now), query.endUserId));
}

interface UsageRow extends UsageFigures {
  day: string;
  endpoint: string;
  endUserId: string;
}

async function* batches(
  { accountId, projectId }: ProjectScope,
  { from, to }: DayPeriod,
  endUserId: string | undefined,
): AsyncGenerator<CsvCell[][], void> {
  for (let last: UsageRow | undefined; ; ) {
    const { rows } = await db().query<UsageRow>(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, endpoint, end_user_id AS "endUserId", requests, tokens_in AS "tokensIn",
              tokens_out AS "tokensOut", credits AS "creditsUsed"
       FROM usage_days
       WHERE project_id = $1 AND account_id = $2 AND day BETWEEN $3::date AND $4::date
         AND ($5::text IS NULL OR end_user_id = $5)
         AND ($6::date IS NULL OR (day, endpoint, end_user_id) > ($6::date, $7, $8))
       ORDER BY usage_days.day, endpoint, end_user_id LIMIT ${BATCH_SIZE}`,
      [
        ...[projectId, accountId, from, to, endUserId ?? null],
        ...[last?.day ?? null, last?.endpoint ?? null, last?.endUserId ?? null],
      ],
    );
    yield rows.map(toCells);
    last = rows.at(-1);
    if (rows.length < BATCH_SIZE) return;
  }
}

function toCells(row: UsageRow): CsvCell[] {
  return [row.day, row.endpoint, row.endUserId, ...usageCells(row)];
}
