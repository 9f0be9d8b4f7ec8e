import type { UsageFigures } from "@/lib/contracts/usage-breakdown";
import { Conditions } from "@/lib/db/conditions";
import { db } from "@/lib/db/pool";
import { type CsvCell, csvDocument } from "@/lib/domain/csv";
import type { Principal } from "@/lib/domain/principal";
import { USAGE_COLUMNS, usageCells } from "@/lib/services/usage/usage-cells";

const BATCH_SIZE = 1_000;

interface MonthRow extends UsageFigures {
  projectId: string;
  project: string;
  endUserId: string;
}

/**
 * What each end user of each of the account's projects used in a month as CSV in pieces: a line for each, which needs no
 * adding up. The client's own calls have no end user. However many there are, a batch at a time is held.
 * @param month YYYY-MM (UTC)
 */
export function exportEndUserUsageCsv(
  scope: Pick<Principal, "accountId">,
  month: string,
): AsyncGenerator<string, void> {
  return csvDocument(["month", "projectId", "project", "endUserId", ...USAGE_COLUMNS], batches(scope, month));
}

async function* batches(scope: Pick<Principal, "accountId">, month: string): AsyncGenerator<CsvCell[][], void> {
  for (let last: MonthRow | undefined; ; ) {
    const rows = await readBatch(scope, month, last);
    yield rows.map((row) => [month, row.projectId, row.project, row.endUserId, ...usageCells(row)]);
    last = rows.at(-1);
    if (rows.length < BATCH_SIZE) return;
  }
}

async function readBatch(
  { accountId }: Pick<Principal, "accountId">,
  month: string,
  last: MonthRow | undefined,
): Promise<MonthRow[]> {
  const day = `${month}-01`;
  const conditions = new Conditions()
    .add((place) => `p.account_id = ${place}`, accountId)
    .add((place) => `m.month = ${place}::date`, day);
  if (last) {
    // The month stands in it as in the key: without, each batch read the project's month from its first end user on.
    conditions.add(
      (project, at, id) => `(m.project_id, m.month, m.end_user_id) > (${project}, ${at}::date, ${id})`,
      last.projectId,
      day,
      last.endUserId,
    );
  }
  const { rows } = await db().query<MonthRow>(
    `SELECT m.project_id AS "projectId", p.name AS project, m.end_user_id AS "endUserId", m.requests,
            m.tokens_in AS "tokensIn", m.tokens_out AS "tokensOut", m.credits AS "creditsUsed"
     FROM projects p JOIN usage_months m ON m.project_id = p.id
     WHERE ${conditions} ORDER BY m.project_id, m.end_user_id LIMIT ${BATCH_SIZE}`,
    conditions.values,
  );
  return rows;
}
