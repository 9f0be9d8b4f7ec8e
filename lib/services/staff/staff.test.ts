import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { onOneDay } from "@/e2e/support/on-one-day";
import { receivedAt } from "@/e2e/support/received-at";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { accountListQuery, auditListQuery, staffCallListQuery, staffDeliveryListQuery } from "@/lib/contracts/staff";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { CursorPage } from "@/lib/domain/cursor";
import { newId } from "@/lib/domain/ids";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { createAccount } from "@/lib/services/accounts/create-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { restoreAccount } from "@/lib/services/accounts/restore-account";
import { setPlan } from "@/lib/services/accounts/set-plan";
import { setRateLimit } from "@/lib/services/accounts/set-rate-limit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { withdrawCredits } from "@/lib/services/accounts/withdraw-credits";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { checkBooks } from "@/lib/services/credits/check-books";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { readBacklog } from "@/lib/services/metrics/read-backlog";
import { findSuspension } from "@/lib/services/staff/find-suspension";
import { getAccountDetail } from "@/lib/services/staff/get-account-detail";
import { getAccountUsage } from "@/lib/services/staff/get-account-usage";
import { getAuditEntry } from "@/lib/services/staff/get-audit-entry";
import { getStaffDelivery } from "@/lib/services/staff/get-staff-delivery";
import { getSystem } from "@/lib/services/staff/get-system";
import { listAccounts } from "@/lib/services/staff/list-accounts";
import { listAllAuditEntries } from "@/lib/services/staff/list-all-audit-entries";
import { listAllCalls } from "@/lib/services/staff/list-all-calls";
import { listAllDeliveries } from "@/lib/services/staff/list-all-deliveries";
import { listFailedRuns } from "@/lib/services/staff/list-failed-runs";
import { resendForAccount } from "@/lib/services/staff/resend-for-account";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import { createWebhook } from "@/lib/services/webhooks/create-webhook";
import { deleteWebhook } from "@/lib/services/webhooks/delete-webhook";
import { updateWebhook } from "@/lib/services/webhooks/update-webhook";

let staff: Actor;

useServiceDatabase();
beforeAll(async () => {
  const { userId } = await createStaff(OPERATOR, { email: "staff@service.example" });
  staff = { kind: "staff", userId, ip: "203.0.113.1" };
});

async function allOf<T>(list: (cursor?: string) => Promise<CursorPage<T>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    all.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

const newAccount = (companyName: string, email = `owner-${randomUUID()}@acme.example`) =>
  createAccount(OPERATOR, { companyName, email, isVerified: true, planId: "starter", credits: 100 });

async function turn({ principal }: TestAccount, callbackUrl?: string): Promise<void> {
  const { turnId } = await acceptTurn(principal, chatTurn({ creditsToReserve: 2, callbackUrl }));
  await endTurn(turnId, null, completedEnd({ output: "Secret.", tokensIn: 100, tokensOut: 20, credits: 2 }));
}

async function logCall({ accountId, projectId, principal }: TestAccount, status: number, createdAt: Date) {
  const requestId = newId("request");
  await writeCalls([
    {
      id: newId("call"),
      accountId,
      projectId,
      apiKeyId: principal.apiKeyId,
      requestId,
      endpoint: "POST /chat",
      path: "/api/v1/chat",
      status,
      errorCode: null,
      durationMs: 5,
      ip: "203.0.113.7",
      userAgent: null,
      sessionId: null,
      endUserId: null,
      isStart: false,
      summary: {},
      receivedAtMs: receivedAt(createdAt),
    },
  ]);
  return requestId;
}

describe("the list of accounts", () => {
  it("finds by name, e-mail address and id, and takes wildcards for what they are", async () => {
    const { accountId, owner } = await newAccount("Blue_Whale Ltd", "ann@whale.example");
    await newAccount("Bluewhale Ltd");
    const find = async (search: string) =>
      (await listAccounts(accountListQuery.parse({ search }))).data.map(({ companyName }) => companyName);
    expect(await find("blue_")).toEqual(["Blue_Whale Ltd"]);
    expect(await find("WHALE.example")).toEqual(["Blue_Whale Ltd"]);
    expect(await find(accountId)).toEqual(["Blue_Whale Ltd"]);
    expect(await find("%")).toEqual([]);
    expect(owner.email).toBe("ann@whale.example");
  });

  it("finds a company by the end of a key of it, as the company sees it and as a pasted key is cut to", async () => {
    const { accountId, projectId } = await newAccount("Key Holder Ltd");
    const key = { id: newId("apiKey"), accountId, projectId, name: "Live", keyHash: randomBytes(32), hint: "zQ7x" };
    await prisma().apiKey.create({ data: { ...key, permissions: ["chat"] } });
    const find = async (search: string) =>
      (await listAccounts(accountListQuery.parse({ search }))).data.map(({ companyName }) => companyName);
    expect(await find("…zQ7x")).toEqual(["Key Holder Ltd"]);
    expect(await find("bld_...zQ7x")).toEqual(["Key Holder Ltd"]);
    expect(await find("…zQ7X")).toEqual([]);
    expect(await find("zQ7x")).toEqual([]);
  });

  it("goes page by page, newest first, with state, plan and credits", async () => {
    const made = [await newAccount("Page A"), await newAccount("Page B"), await newAccount("Page C")];
    await suspendAccount(staff, { accountId: made[1]?.accountId ?? "", reason: "fraud" });
    const all = await allOf((cursor) => listAccounts(accountListQuery.parse({ search: "Page ", limit: 2, cursor })));
    expect(all.map(({ companyName }) => companyName)).toEqual(["Page C", "Page B", "Page A"]);
    expect(all[1]).toMatchObject({
      verification: "suspended",
      plan: "starter",
      credits: { balance: 100, reserved: 0 },
    });
    const suspended = await listAccounts(accountListQuery.parse({ search: "Page ", verification: "suspended" }));
    expect(suspended.data.map(({ companyName }) => companyName)).toEqual(["Page B"]);
  });
});

describe("one account", () => {
  it("says of a suspension by what the account was suspended last, also when an owner had it erased", async () => {
    const { accountId } = await newAccount("Twice Ltd");
    expect(await findSuspension(accountId)).toBeNull();
    await suspendAccount(staff, { accountId, reason: "The invoice is open" });
    expect(await findSuspension(accountId)).toMatchObject({ action: "account.suspend", reason: "The invoice is open" });
    await restoreAccount(staff, { accountId, reason: "Paid" });
    await requestAccountErasure(OPERATOR, { accountId, confirmation: "Twice Ltd" });
    expect(await findSuspension(accountId)).toMatchObject({ action: "account.request-erasure", reason: null });
  });

  it("shows people, projects, keys, use of the month and what it was given", async () => {
    const account = await createTestAccount({ credits: 50 });
    await turn(account);
    await addCredits(staff, { accountId: account.accountId, amount: 7, reason: "Sorry for the outage" });
    expect(await getAccountDetail(account.accountId)).toMatchObject({
      id: account.accountId,
      credits: { balance: 55, reserved: 0 },
      usedThisPeriod: { tokens: 120, credits: 2, tokenLimit: 20_000_000 },
      members: [{ role: "owner", email: expect.stringContaining("@") }],
      projects: [{ id: account.projectId, apiEnabled: true, creditsUsed: 2, creditsPerMonth: null }],
      keys: { active: 1, total: 1 },
      grants: [{ amount: 7, reason: "Sorry for the outage", balanceAfter: 55 }, { amount: 50 }],
    });
  });

  it("tells what each project used of its own limit this month", async () => {
    const account = await createTestAccount({ credits: 50 });
    const other = await addTestProject(account, "Other");
    await turn(account);
    await turn(other);
    await turn(other);
    await db().query("UPDATE projects SET credits_per_month = 40 WHERE id = $1", [other.projectId]);
    const projects = async () => (await getAccountDetail(account.accountId)).projects;
    expect(await projects()).toMatchObject([
      { id: account.projectId, creditsUsed: 2, creditsPerMonth: null },
      { id: other.projectId, creditsUsed: 4, creditsPerMonth: 40 },
    ]);
    await db().query("UPDATE usage_totals SET day = day - interval '1 month' WHERE project_id = $1", [other.projectId]);
    expect(await projects()).toMatchObject([{ creditsUsed: 2 }, { creditsUsed: 0, creditsPerMonth: 40 }]);
  });

  it("counts as active what may be called with: no key that was revoked or has ended", async () => {
    const { accountId, projectId } = await createTestAccount();
    const key = (name: string) => createApiKey(staff, { accountId, projectId, name, permissions: ["chat"] });
    const [revoked, ended] = [await key("revoked"), await key("ended")];
    await db().query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [revoked.keyId]);
    await db().query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [ended.keyId]);
    expect((await getAccountDetail(accountId)).keys).toEqual({ active: 1, total: 3 });
  });

  it("is not found when there is none", async () => {
    await expect(getAccountDetail("acc_none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("an account's credits", () => {
  it("can be withdrawn with a reason, as far as they are not reserved, and the books stay right", async () => {
    const { accountId, principal } = await createTestAccount({ credits: 50 });
    await acceptTurn(principal, chatTurn({ creditsToReserve: 10 }));
    const withdraw = (amount: number) => withdrawCredits(staff, { accountId, amount, reason: "Granted twice" });
    await expect(withdraw(41)).rejects.toMatchObject({ code: "VALIDATION_FAILED", param: "amount" });
    expect(await withdraw(40)).toMatchObject({ accountId, credits: 10 });
    expect(await checkBooks(accountId)).toMatchObject({ isClean: true, balance: 10, reserved: 10 });
    expect((await getAccountDetail(accountId)).grants[0]).toMatchObject({
      kind: "adjustment",
      amount: -40,
      balanceAfter: 10,
      reason: "Granted twice",
    });
    const { data } = await listAllAuditEntries(auditListQuery.parse({ accountId, action: "account.withdraw-credits" }));
    expect(data).toMatchObject([{ before: { credits: 50 }, after: { credits: 10 }, reason: "Granted twice" }]);
  });

  it("are never withdrawn twice by two people at once", async () => {
    const { accountId } = await createTestAccount({ credits: 50 });
    const both = [1, 2].map(() => withdrawCredits(staff, { accountId, amount: 30, reason: "Granted twice" }));
    const outcomes = (await Promise.allSettled(both)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual(["fulfilled", "rejected"]);
    expect(await checkBooks(accountId)).toMatchObject({ isClean: true, balance: 20 });
  });

  it.each([
    ["without a reason", { amount: 1, reason: " " }],
    ["of half a credit", { amount: 0.5, reason: "x" }],
    ["of a debt", { amount: -1, reason: "x" }],
  ])("are not withdrawn %s", async (_what, input) => {
    const { accountId } = await createTestAccount();
    await expect(withdrawCredits(staff, { accountId, ...input })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });
});

describe("an account's use", () => {
  it("is there for each of the last 30 days, of all its projects", () =>
    onOneDay(async (today) => {
      const account = await createTestAccount();
      await turn(account);
      await turn(account);
      const days = await getAccountUsage(account.accountId);
      expect(days).toHaveLength(30);
      expect(days.at(-1)).toEqual({
        date: today,
        requests: 2,
        tokens: 240,
        credits: 4,
      });
      expect(days[0]).toMatchObject({ requests: 0, tokens: 0, credits: 0 });
    }));
});

describe("an account's rate limit", () => {
  it("counts from the next call on and can be taken away again", async () => {
    const { accountId, apiKey } = await createTestAccount({ planId: "free" });
    const limit = async () => (await authenticateKey(apiKey)).requestsPerMinute;
    await setRateLimit(staff, { accountId, rateLimitPerMinute: 5, reason: "load test" });
    expect(await limit()).toBe(5);
    await setRateLimit(staff, { accountId, rateLimitPerMinute: null, reason: "done" });
    expect(await limit()).toBe(60);
    const { data } = await listAllAuditEntries(auditListQuery.parse({ accountId, action: "account.set-rate-limit" }));
    expect(data).toMatchObject([
      { reason: "done", before: { rateLimitPerMinute: 5 }, after: { rateLimitPerMinute: null } },
      { reason: "load test", actorKind: "staff", actorEmail: "staff@service.example", ip: "203.0.113.1" },
    ]);
  });

  it.each([
    ["without a reason", { rateLimitPerMinute: 5, reason: " " }, "VALIDATION_FAILED"],
    ["of none", { rateLimitPerMinute: 0, reason: "x" }, "VALIDATION_FAILED"],
  ])("is refused %s", async (_what, input, code) => {
    const { accountId } = await createTestAccount();
    await expect(setRateLimit(staff, { accountId, ...input })).rejects.toMatchObject({ code });
    await expect(
      setRateLimit(staff, { accountId: "acc_none", rateLimitPerMinute: 5, reason: "x" }),
    ).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("the audit log", () => {
  it("is listed for all accounts and for one, by what was done", async () => {
    const [one, two] = [await createTestAccount(), await createTestAccount()];
    await setPlan(staff, { accountId: one.accountId, planId: "scale", reason: "signed" });
    const list = (query: object) =>
      allOf((cursor) => listAllAuditEntries(auditListQuery.parse({ limit: 2, cursor, ...query })));
    expect(await list({ accountId: one.accountId, action: "account" })).toMatchObject([
      { action: "account.set-plan", reason: "signed", companyName: "Test Company" },
      { action: "account.create" },
    ]);
    const everywhere = await list({});
    expect(new Set(everywhere.map(({ id }) => id)).size).toBe(everywhere.length);
    expect(everywhere.map(({ accountId }) => accountId)).toEqual(
      expect.arrayContaining([one.accountId, two.accountId, null]),
    );
    expect(await list({ actorId: "usr_none" })).toEqual([]);
    const [line] = await list({ accountId: one.accountId });
    expect(await getAuditEntry(line?.id ?? "")).toEqual(line);
    for (const id of [newId("audit"), "aud_\u0000"]) {
      await expect(getAuditEntry(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("names the host of a receiver that was added, changed or deleted, and no path or query, which may hold secrets", async () => {
    const account = await createTestAccount();
    const owner = await ownerOf(account);
    const { id } = await createWebhook(
      account.principal,
      { url: "https://one.example/SECRET?token=SECRET", events: ["completion"], active: true },
      owner,
    );
    await updateWebhook(owner, account.principal, id, { url: "https://two.example:8443/SECRET" });
    await deleteWebhook(owner, account.principal, id);
    const { data } = await listAllAuditEntries(auditListQuery.parse({ accountId: account.accountId }));
    const lines = data.filter(({ action }) => action.startsWith("webhook."));
    expect(lines.map(({ before, after }) => [before?.host, after?.host])).toEqual([
      ["two.example:8443", undefined],
      ["one.example", "two.example:8443"],
      [undefined, "one.example"],
    ]);
    const single = await Promise.all(lines.map((line) => getAuditEntry(line.id)));
    expect(single).toEqual(lines);
    expect(JSON.stringify(lines)).not.toContain("SECRET");
    expect(lines[0]?.before?.events).toEqual(["completion"]);
  });
});

describe("calls and deliveries of all accounts", () => {
  it("lists calls of everybody, newest first, and filters them", async () => {
    const [one, two] = [await createTestAccount(), await createTestAccount()];
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    const requests = [await logCall(one, 200, at(1)), await logCall(two, 500, at(2)), await logCall(one, 404, at(3))];
    const list = async (query: object) =>
      (await allOf((cursor) => listAllCalls(staffCallListQuery.parse({ limit: 1, cursor, ...query })))).map(
        ({ requestId }) => requestId,
      );
    expect(await list({})).toEqual([...requests].reverse());
    expect(await list({ accountId: one.accountId })).toEqual([requests[2], requests[0]]);
    expect(await list({ status: "5xx" })).toEqual([requests[1]]);
    expect(await list({ requestId: requests[0] })).toEqual([requests[0]]);
    const [call] = (await listAllCalls(staffCallListQuery.parse({ requestId: requests[1] }))).data;
    expect(call).toMatchObject({ accountId: two.accountId, companyName: "Test Company", status: 500 });
  });

  it("lists deliveries with their last attempt, and neither bodies nor whole addresses", async () => {
    const [one, two] = [await createTestAccount(), await createTestAccount()];
    await turn(one, "https://one.example/hook?token=secret");
    await turn(two, "https://two.example/hook?token=secret");
    await db().query(
      `INSERT INTO webhook_attempts (delivery_id, number, started_at, request_headers, response_status)
       SELECT id, n, now(), '{}', 500 + n FROM webhook_deliveries, generate_series(1, 2) n WHERE account_id = $1`,
      [one.accountId],
    );
    const all = await allOf((cursor) => listAllDeliveries(staffDeliveryListQuery.parse({ limit: 1, cursor })));
    expect(all).toMatchObject([
      { accountId: two.accountId, host: "two.example", lastResponseStatus: null },
      {
        accountId: one.accountId,
        host: "one.example",
        lastResponseStatus: 502,
        event: "completion",
        status: "pending",
      },
    ]);
    expect(JSON.stringify(all)).not.toMatch(/secret/i);
    const ofOne = await listAllDeliveries(
      staffDeliveryListQuery.parse({ accountId: one.accountId, status: "pending" }),
    );
    expect(ofOne.data).toHaveLength(1);
    expect((await listAllDeliveries(staffDeliveryListQuery.parse({ status: "failed" }))).data).toEqual([]);
  });
});

describe("one delivery", () => {
  it("shows its attempts, and neither what was sent nor what came back", async () => {
    const account = await createTestAccount();
    await turn(account, "https://one.example/hook?token=secret");
    const { rows } = await db().query("SELECT id FROM webhook_deliveries WHERE account_id = $1", [account.accountId]);
    const id = rows[0].id as string;
    await db().query(
      `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, request_headers, response_headers,
                                     response_status, response_body)
       VALUES ($1, 1, now(), 12, '{"x":"secret"}', '{"x":"secret"}', 500, 'secret')`,
      [id],
    );
    const delivery = await getStaffDelivery(id);
    expect(delivery).toMatchObject({
      accountId: account.accountId,
      companyName: "Test Company",
      host: "one.example",
      attempts: [{ round: 1, number: 1, durationMs: 12, responseStatus: 500, error: null }],
    });
    expect(JSON.stringify(delivery)).not.toMatch(/secret/i);
    for (const missing of [newId("delivery"), "dlv_\u0000"]) {
      await expect(getStaffDelivery(missing)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("is sent again with the reason in the account's audit log", async () => {
    const { accountId, ...account } = await createTestAccount();
    await turn({ accountId, ...account }, "https://one.example/hook");
    const { rows } = await db().query("SELECT id FROM webhook_deliveries WHERE account_id = $1", [accountId]);
    const deliveryId = rows[0].id as string;
    await db().query("UPDATE webhook_deliveries SET status = 'failed' WHERE id = $1", [deliveryId]);
    const { round } = await resendForAccount(staff, { deliveryId, reason: "Receiver was repaired" });
    expect(await getStaffDelivery(deliveryId)).toMatchObject({ status: "pending" });
    const { data } = await listAllAuditEntries(auditListQuery.parse({ accountId, action: "delivery" }));
    expect(data).toMatchObject([
      { subject: deliveryId, reason: "Receiver was repaired", before: { status: "failed" }, after: { round } },
    ]);
    await expect(resendForAccount(staff, { deliveryId: newId("delivery"), reason: "x" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("the system", () => {
  it("says what waits and since when", async () => {
    await db().query("TRUNCATE outbox_events, runner_items, runner_runs");
    await db().query("UPDATE turns SET status = 'completed' WHERE status IN ('queued', 'running')");
    await db().query("DELETE FROM webhook_deliveries");
    await db().query("DELETE FROM mails");
    await db().query("UPDATE sessions SET last_activity_at = now() - interval '2 hours'");
    expect(await getSystem()).toMatchObject({
      engine: "embedded",
      queue: { waiting: 0, sleeping: 0, running: 0, oldestWaitingSeconds: 0, lostLeases: 0, runners: 0, failedRuns: 0 },
      outbox: { waiting: 0, oldestSeconds: 0 },
      turns: { queued: 0, running: 0, limited: 0, oldestSeconds: 0 },
      answers: { ended: 0, failed: 0, codes: [] },
      deliveries: { pending: 0, overdueSeconds: 0 },
      mails: { waiting: 0, oldestSeconds: 0 },
    });
    await db().query(
      `INSERT INTO outbox_events (id, name, data, created_at) VALUES ('evt_1', 'x', '{}', now() - interval '90 seconds');
       INSERT INTO mails (id, sealed, created_at) VALUES ('mail_1', 'x', now() - interval '40 minutes');
       INSERT INTO runner_items (run_id, step_id, lane, is_sleep, state, due_at, attempt, losses, generation, runner_id, leased_until)
       VALUES ('r1', 'step', '', false, 'ready', now() - interval '1 hour', 0, 0, 1, NULL, NULL),
              ('r2', 'step', '', true, 'waiting', now() + interval '1 hour', 0, 0, 1, NULL, NULL),
              ('r3', 'step', '', false, 'leased', now(), 0, 0, 1, 'runner-a', now() + interval '10 seconds'),
              ('r4', 'step', '', false, 'leased', now(), 0, 0, 1, 'runner-b', now() - interval '10 seconds');
       INSERT INTO runner_runs (id, function_id, event_id, lane, status, pending, output, created_at, ended_at)
       VALUES ('r5', 'answer-turn', 'e', '', 'failed', 0, '{"name":"Error","message":"It broke.","stack":"at secret"}', now(), now())`,
    );
    const system = await getSystem();
    expect(system.queue).toMatchObject({
      waiting: 1,
      sleeping: 1,
      running: 2,
      lostLeases: 1,
      runners: 1,
      failedRuns: 1,
    });
    expect(system.queue.oldestWaitingSeconds).toBeGreaterThanOrEqual(3_600);
    expect(system.outbox.waiting).toBe(1);
    expect(system.mails.waiting).toBe(1);
    expect(system.mails.oldestSeconds).toBeGreaterThanOrEqual(2_400);
    expect(system.outbox.oldestSeconds).toBeGreaterThanOrEqual(90);
    expect(system.database.bytes).toBeGreaterThan(1_000_000);
    expect(system.database.connections).toBeGreaterThan(0);
    expect(await listFailedRuns()).toEqual([
      expect.objectContaining({ id: "r5", functionId: "answer-turn", message: "It broke.", subject: null }),
    ]);
  });

  it("says how many turns wait for a limit of the provider to pass, and no longer than they do", async () => {
    const { principal } = await createTestAccount();
    await db().query("UPDATE turns SET status = 'completed' WHERE status IN ('queued', 'running')");
    const [limited, slow] = [await acceptTurn(principal, chatTurn()), await acceptTurn(principal, chatTurn())];
    const turn = await claimedTurn(limited.turnId);
    await expectSilence(turn, 60, undefined, true);
    await expectSilence(await claimedTurn(slow.turnId), 60);
    expect((await getSystem()).turns).toMatchObject({ running: 2, limited: 1 });
    expect(await readBacklog()).toMatchObject({ turnsRunning: 2, turnsLimited: 1 });
    await db().query("UPDATE turns SET heartbeat_at = now() - interval '1 second' WHERE id = $1", [turn.turnId]);
    expect((await getSystem()).turns).toMatchObject({ running: 2, limited: 0 });
  });

  it("says of the newest sessions of all accounts which failed and why, as of a model that is away", async () => {
    const { principal } = await createTestAccount();
    const other = await createTestAccount();
    await db().query("UPDATE sessions SET last_activity_at = now() - interval '2 hours'");
    const end = async (of: typeof principal, errorCode?: "MODEL_UNAVAILABLE" | "MODEL_TIMEOUT") => {
      const { turnId } = await acceptTurn(of, chatTurn());
      const failed = { status: "failed", errorMessage: "Away.", errorCode: errorCode ?? "INTERNAL_ERROR" } as const;
      await endTurn(turnId, null, errorCode ? failed : completedEnd());
    };
    await end(principal);
    await acceptTurn(principal, chatTurn());
    expect((await getSystem()).answers).toEqual({ ended: 1, failed: 0, codes: [], spanSeconds: 3_600 });
    for (const code of ["MODEL_TIMEOUT", "MODEL_UNAVAILABLE", "MODEL_UNAVAILABLE"] as const) {
      await end(other.principal, code);
    }
    const codes = [
      { code: "MODEL_UNAVAILABLE", count: 2 },
      { code: "MODEL_TIMEOUT", count: 1 },
    ];
    expect((await getSystem()).answers).toEqual({ ended: 4, failed: 3, codes, spanSeconds: 3_600 });
    // What has expired since is not counted: of a time that reaches further back, it would say that nothing failed.
    await db().query(
      "UPDATE sessions SET last_activity_at = now() - interval '20 minutes', status = 'expired' WHERE status = 'failed'",
    );
    expect((await getSystem({ timeoutSeconds: 900 })).answers).toEqual({
      ended: 1,
      failed: 0,
      codes: [],
      spanSeconds: 900,
    });
  });
});
