import { createHmac, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { seal, seedDelivery, seedProject, seedRegistration } from "@/e2e/support/delivery-seeds";
import {
  type HttpsReceiver,
  type ReceivedRequest,
  type ReceiverOptions,
  startHttpsReceiver,
} from "@/e2e/support/https-receiver";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { closePools, db } from "@/lib/db/pool";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { receiverEgress } from "@/lib/net/receiver-egress";
import { type AttemptOutcome, attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";

const certificates = createTestCertificates();
const TIMEOUT_SECONDS = 1;
const callbackSecret = newWebhookSecret();
const secret = newWebhookSecret();
let database: TestDatabase;
let folder: string;
let owner: { accountId: string; projectId: string };
const receivers: HttpsReceiver[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "deliveries-"));
  await writeFile(join(folder, "ca.pem"), certificates.caPem);
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    OUTBOUND_ALLOWED_HOSTS: "localhost",
    OUTBOUND_EXTRA_CA_FILE: join(folder, "ca.pem"),
    WEBHOOK_RETRY_DELAYS_SECONDS: "0,0,0,0",
    WEBHOOK_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
  });
});
beforeEach(async () => {
  owner = await seedProject(callbackSecret);
});
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));
afterAll(async () => {
  await receiverEgress().close();
  await closePools();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function startReceiver(behaviour?: ReceiverOptions["behaviour"]): Promise<HttpsReceiver> {
  const receiver = await startHttpsReceiver({ certificates, ...(behaviour ? { behaviour } : {}) });
  receivers.push(receiver);
  return receiver;
}

const addRegistration = (url: string, more: { active?: boolean; status?: string } = {}) =>
  seedRegistration({ ...owner, url, secret, ...more });

/** Runs a delivery as the queue does, without the waits; gives every outcome. */
async function runDelivery(id: string, round = 1): Promise<AttemptOutcome[]> {
  const outcomes: AttemptOutcome[] = [];
  for (let number = 1; ; ) {
    const result = await attemptDelivery(id, round, number);
    outcomes.push(result);
    if (result.outcome !== "retry") return outcomes;
    number = result.nextNumber;
  }
}

async function deliveryRow(id: string) {
  return (await db().query("SELECT * FROM webhook_deliveries WHERE id = $1", [id])).rows[0];
}

async function registrationRow(id: string) {
  return (await db().query("SELECT * FROM webhook_registrations WHERE id = $1", [id])).rows[0];
}

async function attemptRows(id: string) {
  return (await db().query("SELECT * FROM webhook_attempts WHERE delivery_id = $1 ORDER BY round, number", [id])).rows;
}

async function alertRows(subjectId: string) {
  return (await db().query("SELECT * FROM alerts WHERE subject_id = $1", [subjectId])).rows;
}

/** What a receiver does to trust a request; throws when it must not. */
function verify({ body, headers }: ReceivedRequest, key: string): void {
  expect(headers["x-service-signature"]).toBe(createHmac("sha256", key).update(body).digest("hex"));
  new Webhook(key).verify(body, headers as Record<string, string>);
}

describe("a delivery that arrives", () => {
  it("carries the promised headers and the stored bytes, and is verified by standardwebhooks and by a raw HMAC", async () => {
    const receiver = await startReceiver({ kind: "ok", status: 204 });
    const registrationId = await addRegistration(receiver.url);
    const event = { ...SAMPLE_EVENTS.completion, output: 'Grüße 🙂 \u2028 "quoted" \\ </script>\u0000end' };
    const { id, deliveryUuid, body } = await seedDelivery({
      ...owner,
      registrationId,
      url: `${receiver.url}/in?x=1`,
      event,
    });
    expect(await runDelivery(id)).toEqual([{ outcome: "delivered" }]);

    const [request] = receiver.requests;
    if (!request) throw new Error("Nothing arrived.");
    expect(request).toMatchObject({ method: "POST", path: "/in?x=1" });
    expect(request.body.equals(Buffer.from(body))).toBe(true);
    expect(request.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Service-Webhooks/1.0",
      "x-service-event": "completion",
      "x-service-delivery": deliveryUuid,
      "webhook-id": deliveryUuid,
      "x-service-signature": expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    verify(request, secret);
    expect(() => verify(request, callbackSecret)).toThrow();
    expect(await deliveryRow(id)).toMatchObject({ status: "delivered", attempt_count: 1, next_attempt_at: null });
    expect((await deliveryRow(id)).delivered_at).toBeInstanceOf(Date);
    expect((await registrationRow(registrationId)).last_delivery_at).toBeInstanceOf(Date);
  });

  it("is signed with the project's callback secret when it goes to a callback", async () => {
    const receiver = await startReceiver();
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    await runDelivery(id);
    for (const request of receiver.requests) verify(request, callbackSecret);
    expect(receiver.requests).toHaveLength(1);
  });

  it("is signed by both secrets during a rotation, and by the new one alone afterwards", async () => {
    const receiver = await startReceiver();
    const registrationId = await addRegistration(receiver.url);
    const older = newWebhookSecret();
    for (const interval of ["1 hour", "-1 second"]) {
      await db().query(
        `UPDATE webhook_registrations SET previous_secret_encrypted = $2, previous_secret_until = now() + $3::interval
         WHERE id = $1`,
        [registrationId, seal(older), interval],
      );
      await runDelivery((await seedDelivery({ ...owner, registrationId, url: receiver.url })).id);
    }
    const [during, after] = receiver.requests;
    if (!during || !after) throw new Error("Two requests were expected.");
    verify(during, secret);
    verify(after, secret);
    expect(new Webhook(older).verify(during.body, during.headers as Record<string, string>)).toBeTruthy();
    expect(() => new Webhook(older).verify(after.body, after.headers as Record<string, string>)).toThrow();
  });

  it("keeps what went out and what came back, the first 64 KB of it, and no secret", async () => {
    const receiver = await startReceiver({ kind: "huge", bytes: 1_000_000 });
    const { id, deliveryUuid } = await seedDelivery({ ...owner, url: receiver.url });
    await runDelivery(id);
    const [attempt] = await attemptRows(id);
    expect(attempt).toMatchObject({
      round: 1,
      number: 1,
      response_status: 200,
      error: null,
      request_headers: { "X-Service-Delivery": deliveryUuid, "User-Agent": "Service-Webhooks/1.0" },
      response_headers: { "transfer-encoding": "chunked" },
    });
    expect(attempt?.response_body).toHaveLength(65_536);
    expect(attempt?.duration_ms).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(attempt)).not.toContain("whsec_");
    expect(JSON.stringify(attempt)).not.toContain(callbackSecret.slice(6));
  });
});

describe("a delivery that does not arrive", () => {
  it("is tried five times with the same bytes and UUID; then the registration is failed and one alert made", async () => {
    const receiver = await startReceiver({ kind: "fail", status: 500 });
    const registrationId = await addRegistration(receiver.url);
    const { id, deliveryUuid, body } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    const outcomes = await runDelivery(id);

    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["retry", "retry", "retry", "retry", "failed"]);
    expect(receiver.requests).toHaveLength(5);
    for (const request of receiver.requests) {
      expect(request.body.toString()).toBe(body);
      expect(request.headers["x-service-delivery"]).toBe(deliveryUuid);
      verify(request, secret);
    }
    expect(await deliveryRow(id)).toMatchObject({ status: "failed", attempt_count: 5, next_attempt_at: null });
    expect((await attemptRows(id)).map((row) => [row.number, row.response_status])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, 500]),
    );
    expect(await registrationRow(registrationId)).toMatchObject({ status: "failed", active: true });
    expect(await alertRows(registrationId)).toMatchObject([
      {
        kind: "webhook.failed",
        account_id: owner.accountId,
        project_id: owner.projectId,
        message: expect.stringContaining("5 attempts"),
        data: { deliveryId: id },
      },
    ]);
  });

  it.each([
    [
      { kind: "fail", status: 429 },
      { response_status: 429, error: null },
    ],
    [
      { kind: "redirect", location: "https://localhost/" },
      { response_status: 302, error: null },
    ],
    [{ kind: "reset" }, { response_status: null, error: expect.stringMatching(/^CONNECTION_LOST: /) }],
    [{ kind: "hang" }, { response_status: null, error: expect.stringMatching(/^TIMEOUT: /) }],
    [
      { kind: "drip", everyMs: 50 },
      { response_status: null, error: expect.stringMatching(/^TIMEOUT: /) },
    ],
  ] as const)("counts as failed when the receiver does this: %o", async (behaviour, expected) => {
    const receiver = await startReceiver(behaviour);
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "retry", delaySeconds: 0, nextNumber: 2 });
    expect(await attemptRows(id)).toMatchObject([expected]);
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", attempt_count: 1 });
    expect((await deliveryRow(id)).next_attempt_at).toBeInstanceOf(Date);
    expect(receiver.requests).toHaveLength(1);
  });

  it("goes nowhere when its address is not, or is no longer, one to deliver to", async () => {
    for (const url of ["https://127.0.0.1:1/", "https://169.254.169.254/", "http://localhost/", "https://[::1]/"]) {
      const { id } = await seedDelivery({ ...owner, url });
      expect(await attemptDelivery(id, 1, 1)).toMatchObject({ outcome: "retry" });
      expect((await attemptRows(id))[0]?.error).toMatch(/^URL_NOT_(ALLOWED|HTTPS): /);
    }
  });

  it("arrives at the attempt at which the receiver recovers", async () => {
    let calls = 0;
    const receiver = await startReceiver(() => (++calls < 3 ? { kind: "fail", status: 503 } : { kind: "ok" }));
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    expect((await runDelivery(id)).map(({ outcome }) => outcome)).toEqual(["retry", "retry", "delivered"]);
    expect(await registrationRow(registrationId)).toMatchObject({ status: "active" });
  });
});

describe("a failed or switched-off registration", () => {
  it("gets nothing more: later attempts of its other deliveries are held, and there is one alert only", async () => {
    const receiver = await startReceiver({ kind: "fail", status: 500 });
    const registrationId = await addRegistration(receiver.url);
    const add = async () => (await seedDelivery({ ...owner, registrationId, url: receiver.url })).id;
    const [first, second, third] = [await add(), await add(), await add()];
    // Two are at their last attempt at the same time.
    for (const id of [first, second])
      for (let number = 1; number < 5; number += 1) await attemptDelivery(id, 1, number);
    await Promise.all([attemptDelivery(first, 1, 5), attemptDelivery(second, 1, 5)]);
    const count = receiver.requests.length;

    expect(await runDelivery(third)).toEqual([{ outcome: "held" }]);
    expect(await attemptRows(third)).toEqual([]);
    expect(await deliveryRow(third)).toMatchObject({ status: "held", next_attempt_at: null, attempt_count: 0 });
    expect(receiver.requests).toHaveLength(count);
    expect(await alertRows(registrationId)).toHaveLength(1);
  });

  it.each([{ active: false, status: "inactive" }, { active: false }, { status: "failed" }])(
    "holds what was on its way, but still gets tests: %o",
    async (state) => {
      const receiver = await startReceiver();
      const registrationId = await addRegistration(receiver.url, state);
      const held = await seedDelivery({ ...owner, registrationId, url: receiver.url });
      const test = await seedDelivery({ ...owner, registrationId, url: receiver.url, isTest: true });
      expect(await runDelivery(held.id)).toEqual([{ outcome: "held" }]);
      expect(await runDelivery(test.id)).toEqual([{ outcome: "delivered" }]);
      expect(receiver.requests.map(({ headers }) => headers["x-service-delivery"])).toEqual([test.deliveryUuid]);
    },
  );

  it("is not failed by a test, which has one attempt", async () => {
    const receiver = await startReceiver({ kind: "fail", status: 500 });
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url, isTest: true });
    expect(await runDelivery(id)).toEqual([{ outcome: "failed" }]);
    expect(receiver.requests).toHaveLength(1);
    expect(await registrationRow(registrationId)).toMatchObject({ status: "active" });
    expect(await alertRows(registrationId)).toEqual([]);
  });

  it("ends the deliveries of one that was deleted, without sending", async () => {
    const receiver = await startReceiver();
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    await db().query("DELETE FROM webhook_registrations WHERE id = $1", [registrationId]);
    expect(await runDelivery(id)).toEqual([{ outcome: "failed" }]);
    expect(receiver.requests).toEqual([]);
  });
});

describe("an attempt that is asked for more than once", () => {
  it("is sent once, and gives the recorded outcome again", async () => {
    const receiver = await startReceiver((request) => ({ kind: "fail", status: request.path === "/bad" ? 500 : 200 }));
    const bad = await seedDelivery({ ...owner, url: `${receiver.url}/bad` });
    const first = await attemptDelivery(bad.id, 1, 1);
    expect(await attemptDelivery(bad.id, 1, 1)).toEqual(first);
    const good = await seedDelivery({ ...owner, url: receiver.url });
    await attemptDelivery(good.id, 1, 1);
    for (const number of [1, 2]) expect(await attemptDelivery(good.id, 1, number)).toEqual({ outcome: "delivered" });
    expect(receiver.requests).toHaveLength(2);
  });

  it("gives the rest of the wait when it is asked for again during the wait", async () => {
    const receiver = await startReceiver({ kind: "fail", status: 500 });
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    await attemptDelivery(id, 1, 1);
    await db().query("UPDATE webhook_deliveries SET next_attempt_at = now() + interval '20 minutes' WHERE id = $1", [
      id,
    ]);
    const again = await attemptDelivery(id, 1, 1);
    expect(again).toMatchObject({ outcome: "retry", nextNumber: 2 });
    expect("delaySeconds" in again && again.delaySeconds).toBeGreaterThan(1_190);
  });

  it("is sent once by many at the same time; the others are told to come back", async () => {
    const receiver = await startReceiver({ kind: "slow", delayMs: 300 });
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => attemptDelivery(id, 1, 1)));
    expect(receiver.requests).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === "delivered")).toHaveLength(1);
    for (const result of outcomes.filter(({ outcome }) => outcome !== "delivered")) {
      expect(result).toMatchObject({ outcome: "retry", nextNumber: 1 });
      expect("delaySeconds" in result && result.delaySeconds).toBeGreaterThan(TIMEOUT_SECONDS);
    }
  });

  it("is made again by the next caller when the process that made it died", async () => {
    const receiver = await startReceiver();
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    await db().query(
      `INSERT INTO webhook_attempts (delivery_id, round, number, started_at, request_headers)
       VALUES ($1, 1, 1, now() - interval '1 hour', '{}')`,
      [id],
    );
    expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "delivered" });
    expect(await attemptRows(id)).toMatchObject([{ response_status: 200 }]);
  });

  it("changes nothing when its process was taken for dead and comes back late", async () => {
    const receiver = await startReceiver({ kind: "slow", delayMs: 400 });
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    const late = attemptDelivery(id, 1, 1);
    await receiver.waitForRequests(1);
    await db().query("UPDATE webhook_attempts SET started_at = now() - interval '1 hour' WHERE delivery_id = $1", [id]);
    expect(await late).toEqual({ outcome: "held" });
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", attempt_count: 0 });
    expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "delivered" });
  });

  it("belongs to its round: a round that a person has started since ends the earlier one", async () => {
    const receiver = await startReceiver({ kind: "fail", status: 500 });
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    await attemptDelivery(id, 1, 1);
    await db().query("UPDATE webhook_deliveries SET round = 2 WHERE id = $1", [id]);
    expect(await attemptDelivery(id, 1, 2)).toEqual({ outcome: "held" });
    receiver.behave({ kind: "ok" });
    expect(await runDelivery(id, 2)).toEqual([{ outcome: "delivered" }]);
    expect((await attemptRows(id)).map((row) => [row.round, row.number])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it("ends quietly when the delivery was erased", async () => {
    expect(await attemptDelivery("dlv_none", 1, 1)).toEqual({ outcome: "failed" });
  });
});

it("does not let a hanging receiver delay another", async () => {
  const [hanging, healthy] = [await startReceiver({ kind: "hang" }), await startReceiver()];
  const add = async (url: string) => (await seedDelivery({ ...owner, url })).id;
  const stuckIds = await Promise.all(Array.from({ length: 40 }, () => add(hanging.url)));
  const fineIds = await Promise.all(Array.from({ length: 40 }, () => add(healthy.url)));
  let stuckDone = 0;
  const stuck = stuckIds.map((id) => attemptDelivery(id, 1, 1).then(() => stuckDone++));
  await hanging.waitForRequests(1);
  for (const result of await Promise.all(fineIds.map((id) => attemptDelivery(id, 1, 1)))) {
    expect(result).toEqual({ outcome: "delivered" });
  }
  expect(stuckDone).toBe(0);
  await Promise.all(stuck);
});
