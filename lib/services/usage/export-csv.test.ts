import { beforeEach, describe, expect, it } from "vitest";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { exportCallsCsv } from "@/lib/services/call-log/export-calls-csv";
import { exportDeliveriesCsv } from "@/lib/services/deliveries/export-deliveries-csv";
import { createProject } from "@/lib/services/projects/create-project";
import { exportUsageCsv } from "@/lib/services/usage/export-usage-csv";
import { getUsage } from "@/lib/services/usage/get-usage";
import { listEndpointDays } from "@/lib/services/usage/list-endpoint-days";

const NOW = new Date("2026-03-10T12:00:00.000Z");
const PERIOD = { from: "2026-03-01", to: "2026-03-10" };

let account: TestAccount;

useServiceDatabase({ CREDIT_PRICE: "0.02", CREDIT_CURRENCY: "EUR" });

beforeEach(async () => {
  account = await createTestAccount();
});

async function use(day: string, endpoint: string, endUserId: string, credits: number, on = account) {
  await db().query(
    `INSERT INTO usage_days (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
     VALUES ($1, $2, $3, $4, $5, 1, 10, 5, $6)`,
    [on.projectId, on.accountId, day, endpoint, endUserId, credits],
  );
}

/** Rows of a document without quoted cells. */
async function read(document: AsyncIterable<string>): Promise<string[][]> {
  let text = "";
  for await (const piece of document) text += piece;
  expect(text.endsWith("\r\n")).toBe(true);
  return text
    .slice(0, -2)
    .split("\r\n")
    .map((line) => line.split(","));
}

describe("usage", () => {
  beforeEach(async () => {
    await use("2026-03-01", "POST /chat", "ada", 3);
    await use("2026-03-01", "POST /chat", "", 1);
    await use("2026-03-02", "POST /process", "ada", 4);
    await use("2026-03-02", "POST /chat", "-bob", 2);
    await use("2026-02-28", "POST /chat", "ada", 100);
    await use("2026-03-01", "POST /chat", "ada", 500, await createTestAccount());
    await use("2026-03-01", "POST /chat", "ada", 700, await addTestProject(account, "Another"));
  });

  it("is there per day and endpoint, with the sums of the report", async () => {
    const days = await listEndpointDays(account, PERIOD);
    const figures = { requests: 2, tokensIn: 20, tokensOut: 10, creditsUsed: 4 };
    expect(days[0]).toEqual({ date: "2026-03-01", endpoint: "POST /chat", ...figures });
    expect(days.map(({ date, endpoint, creditsUsed }) => [date, endpoint, creditsUsed])).toEqual([
      ["2026-03-01", "POST /chat", 4],
      ["2026-03-02", "POST /chat", 2],
      ["2026-03-02", "POST /process", 4],
    ]);
    const { totals } = await getUsage(account.principal, PERIOD);
    expect(days.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)).toBe(totals.creditsUsed);
    expect(await listEndpointDays(account, { ...PERIOD, endUserId: "ada" })).toHaveLength(2);
  });

  it("goes by the day first, whatever was used on it", async () => {
    await use("2026-03-03", "POST /chat", "ada", 1);
    const days = await listEndpointDays(account, { ...PERIOD, from: "2026-03-02", endUserId: "ada" });
    expect(days.map(({ date, endpoint }) => `${date} ${endpoint}`)).toEqual([
      "2026-03-02 POST /process",
      "2026-03-03 POST /chat",
    ]);
  });

  it("is a CSV with a line for each day, endpoint and end user", async () => {
    const [header, ...rows] = await read(exportUsageCsv(account, PERIOD));
    expect(header).toEqual(
      "date,endpoint,endUserId,requests,tokensIn,tokensOut,tokensUsed,creditsUsed,amount,currency".split(","),
    );
    expect(rows.map((row) => row.join())).toEqual([
      "2026-03-01,POST /chat,,1,10,5,15,1,0.02,EUR",
      "2026-03-01,POST /chat,ada,1,10,5,15,3,0.06,EUR",
      "2026-03-02,POST /chat,'-bob,1,10,5,15,2,0.04,EUR",
      "2026-03-02,POST /process,ada,1,10,5,15,4,0.08,EUR",
    ]);
    expect(await read(exportUsageCsv(account, { ...PERIOD, endUserId: "ada" }))).toHaveLength(3);
  });

  it("refuses what is no period before the first piece, and takes the last 30 days when none is named", async () => {
    expect(() => exportUsageCsv(account, { from: "2026-03-02", to: "2026-03-01" })).toThrow(/from/);
    expect(await read(exportUsageCsv(account, {}, NOW))).toHaveLength(6);
  });

  it("is whole beyond one batch", async () => {
    await db().query(
      `INSERT INTO usage_days (project_id, account_id, day, endpoint, end_user_id, requests)
       SELECT $1, $2, '2026-03-05', 'POST /chat', 'user' || n, 1 FROM generate_series(1, 2500) n`,
      [account.projectId, account.accountId],
    );
    const rows = await read(exportUsageCsv(account, { from: "2026-03-05", to: "2026-03-05" }));
    expect(new Set(rows.map(([, , endUserId]) => endUserId)).size).toBe(2_501);
    expect(rows).toHaveLength(2_501);
  });
});

describe("another project of the account", () => {
  it("has nothing of this one in its documents", async () => {
    const url = "https://client.example/hook";
    await use("2026-03-01", "POST /chat", "ada", 3);
    await db().query(
      `INSERT INTO call_logs (id, account_id, project_id, request_id, endpoint, path, status, duration_ms)
       VALUES ('log_' || $2, $1, $2, 'req_1', 'GET /x', '/x', 200, 1)`,
      [account.accountId, account.projectId],
    );
    await seedDelivery({ ...account, url });
    const { id } = await createProject({ kind: "system" }, account, { name: "Other" });
    const documents = (projectId: string) => {
      const scope = { accountId: account.accountId, projectId };
      return [exportUsageCsv(scope, PERIOD), exportCallsCsv(scope, {}), exportDeliveriesCsv(scope)];
    };
    const lines = (projectId: string) =>
      Promise.all(documents(projectId).map(async (document) => (await read(document)).length));
    expect(await lines(id)).toEqual([1, 1, 1]);
    expect(await lines(account.projectId)).toEqual([2, 2, 2]);
  });
});

describe("calls", () => {
  it("are a CSV of what the filters let through, whole beyond one batch, newest first", async () => {
    await db().query(
      `INSERT INTO call_logs (id, account_id, project_id, request_id, endpoint, path, status, duration_ms, user_agent, created_at)
       SELECT 'log_' || $2 || n, $1, $2, 'req_' || n, 'GET /x', '/x', CASE n WHEN 7 THEN 500 ELSE 200 END, n, '=cmd()',
              now() - n * interval '1 second' FROM generate_series(1, 1500) n`,
      [account.accountId, account.projectId],
    );
    const [header, ...rows] = await read(exportCallsCsv(account, {}));
    expect(header?.slice(0, 5)).toEqual(["createdAt", "requestId", "endpoint", "path", "status"]);
    expect(rows.map((row) => row[1])).toEqual(Array.from({ length: 1_500 }, (_, index) => `req_${index + 1}`));
    expect(rows[0]?.[9]).toBe("'=cmd()");
    expect((await read(exportCallsCsv(account, { status: "5xx" }))).slice(1).map((row) => row[1])).toEqual(["req_7"]);
    expect(await read(exportCallsCsv(await createTestAccount(), {}))).toHaveLength(1);
  });
});

describe("deliveries", () => {
  it("are a CSV with how the last attempt went", async () => {
    const url = "https://client.example/hook";
    const registrationId = await seedRegistration({ ...account, url, secret: "whsec_x" });
    const [sent, waiting] = [
      await seedDelivery({ ...account, url, registrationId }),
      await seedDelivery({ ...account, url }),
    ];
    await seedDelivery({ ...(await createTestAccount()), url });
    await db().query("UPDATE webhook_deliveries SET status = 'failed', attempt_count = 2 WHERE id = $1", [sent.id]);
    for (const number of [1, 2]) {
      await db().query(
        `INSERT INTO webhook_attempts (delivery_id, round, number, started_at, request_headers, response_status)
         VALUES ($1, 1, $2, now(), '{}', $3)`,
        [sent.id, number, 500 + number],
      );
    }
    const [header, ...rows] = await read(exportDeliveriesCsv(account));
    const cells = rows.map((row) => Object.fromEntries(row.map((cell, index) => [header?.[index], cell])));
    expect(cells.map(({ id }) => id).sort()).toEqual([sent.id, waiting.id].sort());
    expect(cells.find(({ id }) => id === sent.id)).toMatchObject({
      deliveryUuid: sent.deliveryUuid,
      event: "completion",
      url,
      webhookId: registrationId,
      status: "failed",
      attempts: "2",
      lastResponseStatus: "502",
      deliveredAt: "",
    });
    expect(await read(exportDeliveriesCsv(account, { webhookId: registrationId, status: "failed" }))).toHaveLength(2);
    expect(await read(exportDeliveriesCsv(account, { event: "error" }))).toHaveLength(1);
    expect((await read(exportDeliveriesCsv(account, { webhookId: null }))).slice(1).map((row) => row[1])).toEqual([
      waiting.id,
    ]);
  });

  it("are whole beyond one batch, each once, newest first, also where many were made at once", async () => {
    await db().query(
      `INSERT INTO webhook_deliveries (id, delivery_uuid, account_id, project_id, url, event, body, dedupe_key, created_at)
       SELECT $2 || lpad(n::text, 4, '0'), gen_random_uuid(), $1, $2, 'https://client.example/hook', 'completion', '{}', $2 || n,
              now() + n / 700 * interval '1 second' FROM generate_series(1, 1500) n`,
      [account.accountId, account.projectId],
    );
    const [, ...rows] = await read(exportDeliveriesCsv(account));
    expect(rows.map((row) => Number(row[1]?.slice(-4)))).toEqual(
      Array.from({ length: 1_500 }, (_, index) => 1_500 - index),
    );
  });
});
