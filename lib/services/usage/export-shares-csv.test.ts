import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db, inTransaction } from "@/lib/db/pool";
import { exportEndUserUsageCsv } from "@/lib/services/usage/export-end-user-usage-csv";
import { exportProjectUsageCsv } from "@/lib/services/usage/export-project-usage-csv";
import { getAccountUsage } from "@/lib/services/usage/get-usage";

const PERIOD = { from: "2026-03-01", to: "2026-03-31" };

let account: TestAccount;
let second: TestAccount;

useServiceDatabase({ CREDIT_PRICE: "0.02", CREDIT_CURRENCY: "EUR" });

beforeEach(async () => {
  account = await createTestAccount();
  second = await addTestProject(account, "Shop; =2+2");
  await use(account, "2026-03-01", "ada", 3);
  await use(account, "2026-03-31", "ada", 4);
  await use(account, "2026-03-02", "", 1);
  await use(second, "2026-03-02", "ada", 10);
  await use(account, "2026-02-28", "ada", 100);
  await use(account, "2026-04-01", "ada", 100);
  await use(await createTestAccount(), "2026-03-01", "ada", 500);
});

function use({ accountId, projectId }: TestAccount, day: string, endUserId: string, credits: number) {
  return db().query(
    `INSERT INTO usage_days (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
     VALUES ($1, $2, $3, 'POST /chat', $4, 1, 10, 5, $5)`,
    [projectId, accountId, day, endUserId, credits],
  );
}

/** Its lines, the head first. */
async function read(document: AsyncIterable<string>): Promise<string[]> {
  let text = "";
  for await (const piece of document) text += piece;
  return text.trimEnd().split("\r\n");
}

const creditsOf = (lines: string[]) => lines.reduce((sum, line) => sum + Number(line.split(",").at(-3)), 0);

describe("the file of a month's end users", () => {
  it("has one line with the sum for each end user of each project, and one for the client's own calls", async () => {
    const [head, ...lines] = await read(exportEndUserUsageCsv(account, "2026-03"));
    expect(head).toBe(
      "month,projectId,project,endUserId,requests,tokensIn,tokensOut,tokensUsed,creditsUsed,amount,currency",
    );
    const { rows } = await db().query<{ name: string }>("SELECT name FROM projects WHERE id = $1", [account.projectId]);
    const name = rows[0]?.name;
    expect(lines.toSorted()).toEqual(
      [
        `2026-03,${account.projectId},${name},,1,10,5,15,1,0.02,EUR`,
        `2026-03,${account.projectId},${name},ada,2,20,10,30,7,0.14,EUR`,
        `2026-03,${second.projectId},Shop; '=2+2,ada,1,10,5,15,10,0.2,EUR`,
      ].toSorted(),
    );
  });

  it("has each once, however many there are, and the sum of the account's report", async () => {
    await db().query(
      `INSERT INTO usage_days (project_id, account_id, day, endpoint, end_user_id, requests, credits)
       SELECT $1, $2, '2026-03-05', 'POST /chat', 'user-' || n, 1, 1 FROM generate_series(1, 2100) n`,
      [second.projectId, second.accountId],
    );
    const [, ...lines] = await read(exportEndUserUsageCsv(account, "2026-03"));
    expect(new Set(lines).size).toBe(2_103);
    const { totals } = await getAccountUsage(account.principal, PERIOD);
    expect(creditsOf(lines)).toBe(totals.creditsUsed);
  });

  it("reads no more for a batch near its end than for one at its beginning", async () => {
    await db().query(
      `INSERT INTO usage_months (project_id, month, end_user_id, requests)
       SELECT $1, '2026-03-01', 'user-' || lpad(n::text, 5, '0'), 1 FROM generate_series(1, 20000) n`,
      [second.projectId],
    );
    await db().query("VACUUM ANALYZE usage_months");
    const query = vi.spyOn(db(), "query");
    onTestFinished(() => query.mockRestore());
    await read(exportEndUserUsageCsv(account, "2026-03"));
    const batches = query.mock.calls.slice(1) as unknown as [string, unknown[]][];
    query.mockRestore();
    const [early, late] = [await pagesOf(batches[0]), await pagesOf(batches.at(-2))];
    expect(batches).toHaveLength(20);
    // All that stands before it in the key are some hundred pages.
    expect(late - early).toBeLessThan(20);
  });
});

/** How many pages a statement reads that finds its rows by an index, as in a large table. */
async function pagesOf([text, values]: [string, unknown[]] = ["SELECT", []]): Promise<number> {
  return inTransaction(async (tx) => {
    await tx.query("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off");
    const { rows } = await tx.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const { Plan: plan } = rows[0]["QUERY PLAN"][0];
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  });
}

describe("the file of projects", () => {
  it("has a line for each project of the account, those that used nothing too, and the sum of its report", async () => {
    const unused = await addTestProject(account, "Unused");
    const [head, ...lines] = await read(exportProjectUsageCsv(account, PERIOD));
    expect(head).toBe("from,to,projectId,project,requests,tokensIn,tokensOut,tokensUsed,creditsUsed,amount,currency");
    expect(lines.map((line) => line.split(",")[2])).toEqual([second.projectId, account.projectId, unused.projectId]);
    expect(lines[2]).toBe(`2026-03-01,2026-03-31,${unused.projectId},Unused,0,0,0,0,0,0,EUR`);
    const { totals } = await getAccountUsage(account.principal, PERIOD);
    expect(creditsOf(lines)).toBe(totals.creditsUsed);
  });
});
