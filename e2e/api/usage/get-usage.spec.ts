import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { testReadRefusals } from "@/e2e/api/support/read-refusals";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import type { ApiClient } from "@/e2e/support/api-client";
import { onOneDay } from "@/e2e/support/on-one-day";
import { newCaller } from "@/e2e/support/suite";
import type { UsageReport } from "@/lib/contracts/usage";
import { addDays } from "@/lib/domain/usage-period";

const NONE = {
  requests: 0,
  tokensIn: 0,
  tokensOut: 0,
  tokensUsed: 0,
  creditsUsed: 0,
  cost: { credits: 0, amount: 0, currency: "USD" },
};

interface Ended {
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
}

const readUsage = async (api: ApiClient, query = "") => (await api.get<UsageReport>(`/usage${query}`)).body;

async function chat(api: ApiClient, fields: object): Promise<Ended> {
  const { body } = await api.post<{ sessionId: string }>("/chat", fields);
  return api.waitUntilDone<Ended>(`/chat/${body.sessionId}`);
}

function sumOf(ended: Ended[]) {
  const of = (name: keyof Ended) => ended.reduce((sum, each) => sum + each[name], 0);
  const credits = of("creditsUsed");
  return {
    requests: ended.length,
    tokensIn: of("tokensIn"),
    tokensOut: of("tokensOut"),
    tokensUsed: of("tokensIn") + of("tokensOut"),
    creditsUsed: credits,
    cost: { credits, amount: credits / 100, currency: "USD" },
  };
}

test.describe("GET /usage 200", () => {
  test("is 30 days of zeros up to today before the first use, with exactly the contract's fields", () =>
    onOneDay(async (today) => {
      const { api } = await newCaller();
      const { status, headers, body } = await api.get<UsageReport>("/usage");
      expect(status).toBe(200);
      expectCommonHeaders(headers);
      const from = addDays(today, -29);
      const days = Array.from({ length: 30 }, (_, index) => ({ date: addDays(from, index), ...NONE }));
      expect(body).toEqual({ from, to: today, totals: NONE, days, endpoints: [] });
    }));

  test("adds up what calls of all kinds used, per day, endpoint and end user", () =>
    onOneDay(async (today) => {
      const { api } = await newCaller();
      const ofAda = await chat(api, { message: "Hello [[size:9000]]", endUserId: "ada" });
      const failed = await chat(api, { message: "No [[fail:400]]", endUserId: "ada" });
      const own = await chat(api, { message: "Hello" });
      const { sessionId } = await startProcessing(api, textFile(), { prompt: "What is this?", endUserId: "bob" });
      const processed = await api.waitUntilDone<Ended>(`/process/${sessionId}`);
      await api.get("/chat/sessions");
      await api.post("/chat", { message: "" });

      const usage = await readUsage(api);
      expect(usage.totals).toEqual(sumOf([ofAda, failed, own, processed]));
      expect(usage.days.at(-1)).toEqual({ date: today, ...usage.totals });
      expect(usage.days.slice(0, -1).every(({ requests }) => requests === 0)).toBe(true);
      expect(usage.endpoints).toEqual([
        { endpoint: "POST /chat", ...sumOf([ofAda, failed, own]) },
        { endpoint: "POST /process", ...sumOf([processed]) },
      ]);
      expect((await readUsage(api, "?endUserId=ada")).totals).toEqual(sumOf([ofAda, failed]));
      expect((await readUsage(api, "?endUserId=bob")).endpoints).toEqual([
        { endpoint: "POST /process", ...sumOf([processed]) },
      ]);
      expect((await readUsage(api, "?endUserId=eve")).totals).toEqual(NONE);
    }));

  test("takes a day as both ends, and a year and a day at most", () =>
    onOneDay(async (today) => {
      const { api } = await newCaller();
      const used = await chat(api, { message: "Hello" });
      expect(await readUsage(api, `?from=${today}&to=${today}`)).toMatchObject({
        from: today,
        to: today,
        totals: sumOf([used]),
        days: [{ date: today, requests: 1 }],
      });
      const yesterday = addDays(today, -1);
      expect((await readUsage(api, `?to=${yesterday}`)).totals).toEqual(NONE);
      expect((await readUsage(api, `?from=${addDays(today, -365)}`)).days).toHaveLength(366);
    }));

  test("takes the last day that there is as its end", async () => {
    const { api } = await newCaller();
    const { from, days } = await readUsage(api, "?to=9999-12-31");
    expect([from, days.length, days.at(-1)?.date]).toEqual(["9999-12-02", 30, "9999-12-31"]);
  });

  test("never holds another account's use", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    await chat(other.api, { message: "Hello", endUserId: "ada" });
    expect((await readUsage(mine.api)).totals).toEqual(NONE);
    expect((await readUsage(mine.api, "?endUserId=ada")).totals).toEqual(NONE);
  });
});

test.describe("GET /usage 400", () => {
  const CASES: [query: string, param: string, message: string | RegExp][] = [
    ["from=yesterday", "from", /2026-01-31/],
    ["from=2026-02-30", "from", /date/],
    ["from=2026-1-5", "from", /date/],
    ["from=0000-01-01", "from", /2000/],
    ["from=1999-12-31&to=2000-01-02", "from", /2000/],
    ["from=", "from", /date/],
    ["to=2026-13-01", "to", /date/],
    ["to=2026-01-31T00:00:00Z", "to", /date/],
    ["from=2026-02-02&to=2026-02-01", "from", "from must not be after to."],
    ["from=9999-01-01", "from", "from must not be after today."],
    ["from=2024-01-01&to=2025-01-01", "from", /at most 365 days before to/],
    ["from=2020-01-01", "from", /at most 365 days before today/],
    ["from=2026-01-01&from=2026-01-02", "from", /once/],
    ["endUserId=../x", "endUserId", /endUserId/],
    ["endUserId=", "endUserId", /endUserId/],
  ];
  for (const [query, param, message] of CASES) {
    test(`VALIDATION_FAILED for ?${query}`, async () => {
      const { api } = await newCaller();
      expectError(await api.get(`/usage?${query}`), "VALIDATION_FAILED", { param, message });
    });
  }
});

test.describe("GET /usage", () => testReadRefusals("/usage"));
