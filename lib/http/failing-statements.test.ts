import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as chat from "@/app/api/v1/chat/route";
import * as processing from "@/app/api/v1/process/route";
import { readApiError } from "@/e2e/support/api-error";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { type StatementFault, whileFailing } from "@/e2e/support/failing-statement";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { checkBooks } from "@/lib/services/credits/check-books";
import { claimAttempt } from "@/lib/services/deliveries/claim-attempt";
import { loadDelivery } from "@/lib/services/deliveries/load-delivery";
import { recordAttempt } from "@/lib/services/deliveries/record-attempt";
import { sweepUploads } from "@/lib/services/files/sweep-uploads";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

const HOST = "https://service.example";
let dataDir = "";

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "failing-statements-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, APP_URL: HOST, STORAGE_URL: "https://files.example" }));
afterAll(async () => {
  await sessionHub().close();
  await rm(dataDir, { recursive: true });
});

/** What an account has of what is made or moved here, whatever its ids. */
async function stateOf({ accountId, projectId }: TestAccount) {
  const { rows } = await db().query(
    `SELECT (SELECT array_agg(status ORDER BY id) FROM turns WHERE account_id = $1) AS turns,
            (SELECT array_agg(status ORDER BY id) FROM sessions WHERE account_id = $1) AS sessions,
            (SELECT count(*) FROM messages m JOIN sessions s ON s.id = m.session_id WHERE s.account_id = $1) AS messages,
            (SELECT count(*) FROM session_events e JOIN sessions s ON s.id = e.session_id WHERE s.account_id = $1) AS events,
            (SELECT count(*) FROM outbox_events o WHERE o.data->>'accountId' = $1) AS handed_over,
            (SELECT count(*) FROM stored_files WHERE account_id = $1) AS files,
            (SELECT count(*) FROM pending_uploads WHERE project_id = $2) AS pending,
            (SELECT count(*) FROM idempotency_keys WHERE project_id = $2 AND state = 'done') AS keys,
            (SELECT array_agg(status || attempt_count ORDER BY id) FROM webhook_deliveries WHERE account_id = $1) AS deliveries`,
    [accountId, projectId],
  );
  const { isClean, balance, reserved, problems } = await checkBooks(accountId);
  return { ...rows[0], isClean, balance, reserved, problems };
}

const storedKeys = async () =>
  (await db().query("SELECT storage_key FROM stored_files")).rows.map((row) => row.storage_key);
const keysOnDisk = async () =>
  (await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

interface Case {
  what: string;
  /** An account of its own and what is done with it, each time the same. */
  begin(): Promise<{ account: TestAccount; act(): Promise<unknown> }>;
  /** Faults after which the same once more may be done twice: nothing says that it is the same. */
  not?: StatementFault[];
}

const post = (path: string, apiKey: string, init: RequestInit, headers: Record<string, string> = {}) =>
  new Request(`${HOST}/api/v1${path}`, { method: "POST", ...init, headers: { "X-API-Key": apiKey, ...headers } });

const CASES: Case[] = [
  {
    what: "a file with an instruction and an idempotency key",
    async begin() {
      const account = await createTestAccount();
      const key = { "Idempotency-Key": randomUUID() };
      const act = () => {
        const body = new FormData();
        body.set("prompt", "Summarise.");
        body.set("file", new File(["Hello"], "hello.txt"));
        return processing.POST(post("/process", account.apiKey, { body }, key), {});
      };
      return { account, act };
    },
  },
  {
    what: "a message",
    async begin() {
      const account = await createTestAccount();
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify({ message: "Hello" });
      return { account, act: () => chat.POST(post("/chat", account.apiKey, { body }, headers), {}) };
    },
    not: ["lost"],
  },
  {
    what: "the end of a turn that somebody is told of",
    async begin() {
      const account = await createTestAccount();
      const callbackUrl = "https://client.example/told";
      const { turnId } = await acceptTurn(account.principal, chatTurn({ callbackUrl }));
      const claimed = await claimedTurn(turnId);
      return { account, act: () => endTurn(turnId, claimed.generation, completedEnd(), claimed) };
    },
  },
  {
    what: "the end of a turn",
    async begin() {
      const account = await createTestAccount();
      const { turnId } = await acceptTurn(account.principal, chatTurn());
      const claimed = await claimedTurn(turnId);
      return { account, act: () => endTurn(turnId, claimed.generation, completedEnd(), claimed) };
    },
  },
  {
    what: "what came of an attempt",
    async begin() {
      const account = await createTestAccount();
      const url = "https://receiver.example/";
      const registrationId = await seedRegistration({ ...account, url, secret: "whsec_seeded" });
      const { id: deliveryId } = await seedDelivery({ ...account, url, registrationId });
      const key = { deliveryId, round: 1, number: 1 };
      const [delivery, attempt] = [await loadDelivery(key), await claimAttempt(key, {})];
      if (!delivery || !attempt) throw new Error("The attempt did not begin.");
      const result = { status: 200, headers: {}, body: Buffer.from(""), durationMs: 1 };
      return { account, act: () => recordAttempt(delivery, attempt, result, { status: "delivered" }) };
    },
  },
];

/** All; those whose effect stays when their answer does not come; those that take rows which calls at once take, too. */
const OF: Record<StatementFault, RegExp> = {
  cut: /^/,
  lost: /^(COMMIT|claim-|begin-|accept-|settle-|record-|discard-)/,
  "turned back": /^(accept-|adopt-|keep-|settle-|close-|insert-deliveries|enqueue-|record-)/,
};

/** @throws when it was refused in other words than the contract's */
async function isAnswered(outcome: PromiseSettledResult<unknown>): Promise<boolean> {
  if (outcome.status === "rejected") return false;
  if (!(outcome.value instanceof Response) || outcome.value.ok) return true;
  expect(await readApiError(outcome.value, HOST)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  return false;
}

/** Fails one statement after the other, until there are no more of them. */
async function walk({ begin }: Case, fault: StatementFault): Promise<void> {
  const { account, act } = await begin();
  const before = await stateOf(account);
  await act();
  const done = await stateOf(account);
  for (let number = 1; ; number += 1) {
    const { account: another, act: actOn } = await begin();
    const { failed, outcome } = await whileFailing({ number, of: OF[fault] }, fault, actOn);
    if (failed === null) return expect(number).toBeGreaterThan(1);
    const hasAnswered = await isAnswered(outcome);
    if (fault === "turned back") expect(outcome, `${failed} was turned back`).toMatchObject({ status: "fulfilled" });
    await sweepUploads(-1);
    const after = await stateOf(another);
    if (hasAnswered) expect(after, `answered, although ${failed} failed`).toEqual(done);
    else expect([before, done], `refused, because ${failed} failed`).toContainEqual(after);
    if (!hasAnswered) await actOn();
    expect(await stateOf(another), `once more after ${failed} failed`).toEqual(done);
    expect((await keysOnDisk()).sort(), `${failed} failed`).toEqual((await storedKeys()).sort());
  }
}

describe.each(CASES)("$what", (one) => {
  const faults: StatementFault[] = ["cut", "lost", "turned back"];
  it.each(faults.filter((fault) => !one.not?.includes(fault)))(
    "is there as a whole or not at all, and once more makes it whole, whichever statement is %s",
    (fault) => walk(one, fault),
  );
});
