import { expect, test } from "playwright/test";
import type { ApiClient } from "@/e2e/support/api-client";
import { runMixedJobs } from "@/e2e/support/mixed-jobs";
import { newCaller, suite } from "@/e2e/support/suite";
import type { AccountRecord } from "@/lib/contracts/account";
import type { ChatSessionListItem } from "@/lib/contracts/chat-records";
import type { UsageReport } from "@/lib/contracts/usage";
import { prisma } from "@/lib/db/prisma";
import { checkBooks } from "@/lib/services/credits/check-books";

const CREDITS = 10_000;
const JOBS = 100;

test("after 100 mixed jobs of three accounts, ledger, usage, sessions and balance say the same", async () => {
  const callers = await Promise.all(
    Array.from({ length: 3 }, () => newCaller({ planId: "scale", credits: CREDITS, rateLimitPerMinute: 1_000_000 })),
  );
  const apiKeys = callers.map(({ account }) => account.apiKey);
  const run = await runMixedJobs(suite.url, apiKeys, JOBS);
  expect(Object.keys(run.statuses).sort()).toEqual(["canceled", "completed", "failed"]);

  let turns = 0;
  for (const { account, api } of callers) {
    const books = await checkBooks(account.accountId);
    expect(books).toMatchObject({ isClean: true, problems: [], reserved: 0, balance: CREDITS - books.charged });
    const usage = (await api.get<UsageReport>("/usage")).body;
    const sessions = await allSessions(api);
    const { credits, stats, plan } = (await api.get<AccountRecord>("/account")).body;
    expect(credits).toEqual({ balance: books.balance, reserved: 0, usedThisPeriod: books.charged });
    expect(usage.totals).toMatchObject(sumOf(sessions));
    expect(usage.totals.creditsUsed).toBe(books.charged);
    expect(plan.tokensUsed).toBe(usage.totals.tokensUsed);
    expect(stats).toMatchObject({ sessions: sessions.length, endUsers: 2, requests30d: usage.totals.requests });
    expectToAddUp(usage);
    for (const endUserId of ["ada", "bob"]) {
      const share = (await api.get<UsageReport>(`/usage?endUserId=${endUserId}`)).body;
      expect(share.totals).toMatchObject(sumOf(sessions.filter((session) => session.endUserId === endUserId)));
      expectToAddUp(share);
    }
    turns += usage.totals.requests;
  }
  expect(turns, "each turn is counted once").toBe(run.turns);
});

test("credits that were reserved come back when a call is canceled", async () => {
  const { account, api } = await newCaller({ credits: 10 });
  const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Slow [[first:20000ms]]" });
  expect((await checkBooks(account.accountId)).reserved).toBeGreaterThan(0);
  await api.post(`/chat/${body.sessionId}/cancel`, {});
  expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, balance: 10, reserved: 0, charged: 0 });
});

test("the ledger cannot be changed, not even by the service's own role", async () => {
  const { account } = await newCaller({ credits: 10 });
  const where = { accountId: account.accountId };
  await expect(prisma().ledgerEntry.updateMany({ where, data: { amount: 1_000 } })).rejects.toThrow(/append-only/);
  await expect(prisma().ledgerEntry.deleteMany({ where })).rejects.toThrow(/append-only/);
  expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, ledger: 10 });
});

async function allSessions(api: ApiClient): Promise<ChatSessionListItem[]> {
  const sessions: ChatSessionListItem[] = [];
  for (;;) {
    const path = `/chat/sessions?limit=100&offset=${sessions.length}`;
    const { data, pagination } = (
      await api.get<{ data: ChatSessionListItem[]; pagination: { hasMore: boolean } }>(path)
    ).body;
    sessions.push(...data);
    if (!pagination.hasMore) return sessions;
  }
}

function sumOf(sessions: ChatSessionListItem[]) {
  const of = (name: "tokensIn" | "tokensOut" | "tokensUsed" | "creditsUsed") =>
    sessions.reduce((sum, session) => sum + session[name], 0);
  return {
    tokensIn: of("tokensIn"),
    tokensOut: of("tokensOut"),
    tokensUsed: of("tokensUsed"),
    creditsUsed: of("creditsUsed"),
  };
}

function expectToAddUp({ totals, days, endpoints }: UsageReport): void {
  for (const name of ["requests", "tokensIn", "tokensOut", "tokensUsed", "creditsUsed"] as const) {
    for (const parts of [days, endpoints]) {
      expect(parts.reduce((sum, part) => sum + part[name], 0)).toBe(totals[name]);
    }
  }
}
