import { expect, test } from "playwright/test";
import { expectError } from "@/e2e/api/support/expect-error";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { startTestService, type TestService } from "@/e2e/support/test-service";

/** Two server processes on one database. */

const LIMIT_PER_MINUTE = 300;
const CALLS = 600;

let second: TestService;

test.beforeAll(async () => {
  const { PORT: _port, DATABASE_URL = "", OPENAI_BASE_URL = "", ...shared } = suite.variables;
  second = await startTestService({ databaseUrl: DATABASE_URL, modelUrl: OPENAI_BASE_URL, settings: shared });
});

test.afterAll(() => second?.close());

test("600 calls at once to two servers: the key's limit of 300 is let through, and not one call more", async () => {
  const { account, api } = await newCaller({ rateLimitPerMinute: LIMIT_PER_MINUTE });
  const servers = [api, apiClient(second.url, account.apiKey)] as const;
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, index) => (index % 2 ? servers[0] : servers[1]).get("/chat/sessions")),
  );
  const refilled = Math.ceil(((performance.now() - startedAt) / 60_000) * LIMIT_PER_MINUTE);
  // A server that stood still for seconds, on a busy machine, refuses what waited in it for a connection (503): mostly behind
  // the limit, which let those through.
  const asked = answers.filter(({ status, headers }) => status !== 503 || headers.has("ratelimit-limit"));
  const accepted = asked.filter(({ status }) => status !== 429);
  expect(
    [...new Set(answers.map(({ status }) => status))].filter((status) => ![200, 429, 503].includes(status)),
  ).toEqual([]);
  expect(accepted.length).toBeGreaterThanOrEqual(LIMIT_PER_MINUTE);
  expect(accepted.length).toBeLessThanOrEqual(LIMIT_PER_MINUTE + refilled);
  console.log(
    `two processes, one limit: ${accepted.length} of ${CALLS} accepted, limit ${LIMIT_PER_MINUTE} + at most ${refilled}`,
  );

  for (const { headers } of asked) expect(headers.get("ratelimit-limit")).toBe(String(LIMIT_PER_MINUTE));
  const remaining = accepted.map(({ headers }) => Number(headers.get("ratelimit-remaining")));
  expect(Math.max(...remaining)).toBe(LIMIT_PER_MINUTE - 1);
  expect(Math.min(...remaining)).toBe(0);
  // What is left is told to one call alone, unless it was filled up again since.
  expect(remaining.length - new Set(remaining).size).toBeLessThanOrEqual(refilled);
  for (const answer of asked.filter(({ status }) => status === 429)) {
    expectError(answer, "RATE_LIMITED");
    expect(answer.headers.get("ratelimit-remaining")).toBe("0");
    expect(Number(answer.headers.get("retry-after"))).toBe(1);
    expect(Number(answer.headers.get("ratelimit-reset"))).toBeLessThanOrEqual(60);
  }
});
