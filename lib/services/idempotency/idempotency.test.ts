import { createHash, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db, inTransaction } from "@/lib/db/pool";
import { sealText } from "@/lib/domain/sealed-text";
import { startChat } from "@/lib/services/chat/start-chat";
import { claimKey } from "@/lib/services/idempotency/claim-key";
import type { IdempotencyClaim, KeyedCall } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse, keepResponseAfterwards } from "@/lib/services/idempotency/keep-response";
import { releaseKey } from "@/lib/services/idempotency/release-key";
import { sweepIdempotency } from "@/lib/services/idempotency/sweep-idempotency";

let account: TestAccount;

useServiceDatabase();
beforeAll(async () => {
  account = await createTestAccount({ credits: 100_000 });
});

const callOf = (key: string, what = "one"): KeyedCall => ({
  key,
  requestHash: createHash("sha256").update(what).digest(),
  requestId: `req_${randomUUID()}`,
  status: 202,
});

async function take(
  call: KeyedCall,
  options: Parameters<typeof claimKey>[2] = { waitMs: 0 },
): Promise<IdempotencyClaim> {
  const result = await claimKey(account.principal, call, options);
  if (!("claim" in result)) throw new Error("answered before");
  return result.claim;
}

const start = (idempotency: IdempotencyClaim, message = "hello") =>
  startChat(account.principal, { message }, { requestId: idempotency.requestId, idempotency });

async function countSessions(): Promise<number> {
  const { rows } = await db().query<{ n: number }>("SELECT count(*) AS n FROM sessions WHERE project_id = $1", [
    account.projectId,
  ]);
  return rows[0]?.n ?? -1;
}

const letLeaseEnd = (key: string) =>
  db().query("UPDATE idempotency_keys SET locked_until = now() - interval '1 second' WHERE key = $1", [key]);

describe("a key", () => {
  it("is held by one of many calls at once; the others get its answer, to the byte", async () => {
    const key = randomUUID();
    const before = await countSessions();
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const result = await claimKey(account.principal, callOf(key));
        return "claim" in result ? JSON.stringify(await start(result.claim)) : result.kept.body;
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect((await countSessions()) - before).toBe(1);
  });

  it("answers IN_PROGRESS when the running call takes longer than the wait", async () => {
    const key = randomUUID();
    await take(callOf(key));
    const startedAt = performance.now();
    await expect(claimKey(account.principal, callOf(key), { waitMs: 100 })).rejects.toMatchObject({
      code: "IDEMPOTENCY_IN_PROGRESS",
      retryAfterSeconds: 1,
    });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(100);
  });

  it("is waited for no longer while its call stands still in its own transaction, and gives its answer afterwards", async () => {
    const key = randomUUID();
    const claim = await take(callOf(key));
    await inTransaction(async (tx) => {
      await keepResponse(tx, claim, { ok: true });
      await expect(claimKey(account.principal, callOf(key), { waitMs: 0 })).rejects.toMatchObject({
        code: "IDEMPOTENCY_IN_PROGRESS",
      });
    });
    expect(await claimKey(account.principal, callOf(key))).toMatchObject({ kept: { body: '{"ok":true}' } });
  }, 10_000);

  it("is refused to another request, while the first runs and afterwards", async () => {
    const key = randomUUID();
    const claim = await take(callOf(key));
    const reused = { code: "IDEMPOTENCY_KEY_REUSED" };
    await expect(claimKey(account.principal, callOf(key, "two"))).rejects.toMatchObject(reused);
    await keepResponseAfterwards(claim, { ok: true });
    await expect(claimKey(account.principal, callOf(key, "two"))).rejects.toMatchObject(reused);
  });

  it("is the project's own", async () => {
    const key = randomUUID();
    await take(callOf(key));
    const other = await createTestAccount();
    expect(await claimKey(other.principal, callOf(key, "two"))).toHaveProperty("claim");
  });

  it("is waited for by calls of its own project alone while another project's call holds the same one", async () => {
    const key = randomUUID();
    const other = await createTestAccount();
    await take(callOf(key));
    await claimKey(other.principal, callOf(key, "two"));
    // Of the other's call they would hear that the key was used with another request.
    const waiting = [
      claimKey(account.principal, callOf(key), { waitMs: 200 }),
      claimKey(other.principal, callOf(key, "two"), { waitMs: 200 }),
    ];
    const inProgress = { status: "rejected", reason: { code: "IDEMPOTENCY_IN_PROGRESS" } };
    expect(await Promise.allSettled(waiting)).toMatchObject([inProgress, inProgress]);
  });

  it("is free at once when its call was refused, for another request too", async () => {
    const key = randomUUID();
    await releaseKey(await take(callOf(key)));
    await take(callOf(key, "two"));
  });

  it("is handed on within the wait when its call is refused meanwhile", async () => {
    const key = randomUUID();
    const first = await take(callOf(key));
    const second = claimKey(account.principal, callOf(key));
    await delay(60);
    await releaseKey(first);
    expect(await second).toHaveProperty("claim");
  });

  it("is free a moment later when its call was refused by a database that was away just then", async () => {
    const key = randomUUID();
    const claim = await take(callOf(key));
    const away = Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
    const query = vi.spyOn(db(), "query").mockRejectedValueOnce(away as never);
    onTestFinished(() => query.mockRestore());
    const startedAt = performance.now();
    await releaseKey(claim);
    expect(await claimKey(account.principal, callOf(key))).toHaveProperty("claim");
    // A database that is away is back no sooner for being asked at once.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(100);
  });

  it("is given back once more for nothing but a database that is away: what else fails is the caller's to know", async () => {
    const claim = await take(callOf(randomUUID()));
    const query = vi.spyOn(db(), "query").mockRejectedValueOnce(new Error("permission denied") as never);
    onTestFinished(() => query.mockRestore());
    await expect(releaseKey(claim)).rejects.toThrow("permission denied");
  });

  it("is free a moment later when nobody heard that it was taken", async () => {
    const call = callOf(randomUUID());
    const ask = db().query.bind(db()) as (statement: unknown) => Promise<unknown>;
    const query = vi.spyOn(db(), "query").mockImplementationOnce((async (statement: unknown) => {
      await ask(statement);
      throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
    }) as never);
    onTestFinished(() => query.mockRestore());
    await expect(take(call)).rejects.toThrow("Connection terminated");
    expect(await claimKey(account.principal, { ...call, requestId: "req_again" })).toHaveProperty("claim");
  });

  it("keeps what was kept when a late failure gives it back", async () => {
    const key = randomUUID();
    const claim = await take(callOf(key));
    await keepResponseAfterwards(claim, { n: 1 });
    await releaseKey(claim);
    expect(await claimKey(account.principal, callOf(key))).toEqual({ kept: { status: 202, body: '{"n":1}' } });
  });

  it("keeps what its call was answered first, whatever the same call says afterwards", async () => {
    const call = callOf(randomUUID());
    const claim = await take(call);
    await keepResponseAfterwards(claim, { n: 1 });
    await keepResponseAfterwards(claim, { n: 2 });
    expect(await claimKey(account.principal, call)).toEqual({ kept: { status: 202, body: '{"n":1}' } });
  });

  it("repeats any text as it was, sealed in the table", async () => {
    const key = randomUUID();
    const answer = { z: '\u0000 \ud83e\uddea "quoted"', a: [1, null], secret: "whsec_abc" };
    await keepResponseAfterwards(await take(callOf(key)), answer);
    expect(await claimKey(account.principal, callOf(key))).toEqual({
      kept: { status: 202, body: JSON.stringify(answer) },
    });
    const { rows } = await db().query("SELECT response::text AS stored FROM idempotency_keys WHERE key = $1", [key]);
    expect(rows[0].stored).toMatch(/^"v1\./);
    expect(rows[0].stored).not.toContain("whsec_abc");
  });

  it("whose answer another key sealed is answered for good, and starts nothing again", async () => {
    const key = randomUUID();
    const before = await countSessions();
    await start(await take(callOf(key)));
    const sealed = JSON.stringify(sealText("{}", randomBytes(32).toString("base64")));
    await db().query("UPDATE idempotency_keys SET response = $2 WHERE key = $1", [key, sealed]);
    for (let time = 0; time < 2; time += 1) {
      await expect(claimKey(account.principal, callOf(key))).rejects.toMatchObject({
        code: "INTERNAL_ERROR",
        message: expect.stringMatching(/was accepted before, .+ Nothing was started again: /),
        isRetryable: false,
        cause: { message: expect.stringMatching(/^ENCRYPTION_KEY is not the one that sealed this/) },
      });
    }
    expect((await countSessions()) - before).toBe(1);
  });
});

describe("a call that dies", () => {
  it("before it started anything frees its key when the lease runs out", async () => {
    const key = randomUUID();
    await take(callOf(key), { leaseSeconds: 0.2 });
    await expect(take(callOf(key))).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS" });
    await expect
      .poll(() =>
        take(callOf(key)).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it("after the work was accepted has left its answer: the retry starts nothing", async () => {
    const key = randomUUID();
    const before = await countSessions();
    // Nothing runs after the service has committed: that is what the death of the process looks like.
    const answer = await start(await take(callOf(key)));
    await letLeaseEnd(key);
    expect(await claimKey(account.principal, callOf(key))).toEqual({
      kept: { status: 202, body: JSON.stringify(answer) },
    });
    expect((await countSessions()) - before).toBe(1);
  });

  it("between accepting and keeping has done neither", async () => {
    const key = randomUUID();
    const before = await countSessions();
    const claim = await take(callOf(key));
    const dying = inTransaction(async (tx) => {
      await keepResponse(tx, claim, { sessionId: "ses_never" });
      const { rows } = await tx.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      await db().query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
      await tx.query("SELECT 1");
    });
    await expect(dying).rejects.toThrow();
    await letLeaseEnd(key);
    await start(await take(callOf(key)));
    expect((await countSessions()) - before).toBe(1);
  });

  it("or sleeps beyond its lease cannot start the work beside the call that took over", async () => {
    const key = randomUUID();
    const before = await countSessions();
    const sleeper = await take(callOf(key));
    await letLeaseEnd(key);
    const successor = await take(callOf(key));
    await expect(start(sleeper)).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS" });
    await releaseKey(sleeper);
    const answer = await start(successor);
    await expect(start(sleeper)).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS" });
    expect((await countSessions()) - before).toBe(1);
    expect(await claimKey(account.principal, callOf(key))).toEqual({
      kept: { status: 202, body: JSON.stringify(answer) },
    });
  });
});

describe("after 24 hours", () => {
  const age = (key: string) =>
    db().query("UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = $1", [key]);

  it("a key can be taken by another request, whose answer is then kept", async () => {
    const key = randomUUID();
    await keepResponseAfterwards(await take(callOf(key)), {});
    const { rows } = await db().query(
      "SELECT expires_at - created_at = interval '24 hours' AS is_a_day FROM idempotency_keys WHERE key = $1",
      [key],
    );
    expect(rows).toEqual([{ is_a_day: true }]);
    await age(key);
    const second = callOf(key, "two");
    await keepResponseAfterwards(await take(second), { n: 2 });
    expect(await claimKey(account.principal, second)).toEqual({ kept: { status: 202, body: '{"n":2}' } });
  });

  it("the sweep removes it, and no other", async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    for (const key of [old, young]) await keepResponseAfterwards(await take(callOf(key)), {});
    await age(old);
    expect(await sweepIdempotency()).toBeGreaterThanOrEqual(1);
    const { rows } = await db().query("SELECT key FROM idempotency_keys WHERE key = ANY ($1)", [[old, young]]);
    expect(rows).toEqual([{ key: young }]);
    expect(await sweepIdempotency()).toBe(0);
  });
});
