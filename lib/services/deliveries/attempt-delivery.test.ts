import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { seal, seedDelivery, seedProject, seedRegistration } from "@/e2e/support/delivery-seeds";
import {
  attemptRows,
  deliveryRow,
  registrationRow,
  runDelivery,
  useDeliveryStage,
  verifyRequest,
} from "@/e2e/support/delivery-stage";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { db } from "@/lib/db/pool";
import { sealText } from "@/lib/domain/sealed-text";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import * as logging from "@/lib/log";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";
import { OtherKeyError } from "@/lib/services/people/sealed-secret";

const callbackSecret = newWebhookSecret();
const secret = newWebhookSecret();
const stage = useDeliveryStage();
let owner: { accountId: string; projectId: string };

beforeEach(async () => {
  owner = await seedProject(callbackSecret);
});

const addRegistration = (url: string, more: { active?: boolean; status?: string } = {}) =>
  seedRegistration({ ...owner, url, secret, ...more });

describe("a delivery that arrives", () => {
  it("carries the promised headers and the stored bytes, and is verified by standardwebhooks and by a raw HMAC", async () => {
    const receiver = await stage.startReceiver({ kind: "ok", status: 204 });
    const url = `${receiver.url}/in?x=1`;
    const registrationId = await addRegistration(url);
    const event = { ...SAMPLE_EVENTS.completion, output: 'Grüße 🙂 \u2028 "quoted" \\ </script>\u0000end' };
    const { id, deliveryUuid, body } = await seedDelivery({ ...owner, registrationId, url, event });
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
    verifyRequest(request, secret);
    expect(() => verifyRequest(request, callbackSecret)).toThrow();
    expect(await deliveryRow(id)).toMatchObject({ status: "delivered", attempt_count: 1, next_attempt_at: null });
    expect((await deliveryRow(id)).delivered_at).toBeInstanceOf(Date);
    expect((await registrationRow(registrationId)).last_delivery_at).toBeInstanceOf(Date);
  });

  it("says the database's time, whatever the clock of the machine that sends it says", async () => {
    const receiver = await stage.startReceiver();
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    const nowMs = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs - 3_600_000 });
    try {
      expect(await runDelivery(id)).toEqual([{ outcome: "delivered" }]);
    } finally {
      vi.useRealTimers();
    }
    const sentAtMs = Number(receiver.requests[0]?.headers["webhook-timestamp"]) * 1_000;
    expect(Math.abs(sentAtMs - nowMs)).toBeLessThan(300_000);
  });

  it("moves the time of its receiver's last delivery on, in whole seconds at the least", async () => {
    const receiver = await stage.startReceiver();
    const registrationId = await addRegistration(receiver.url);
    const lastAfter = async (ago: string) => {
      await db().query(
        "UPDATE webhook_registrations SET last_delivery_at = date_trunc('second', now()) - $2::interval WHERE id = $1",
        [registrationId, ago],
      );
      const { last_delivery_at: before } = await registrationRow(registrationId);
      await runDelivery((await seedDelivery({ ...owner, registrationId, url: receiver.url })).id);
      return (await registrationRow(registrationId)).last_delivery_at.getTime() - before.getTime();
    };
    expect(await lastAfter("2 seconds")).toBeGreaterThanOrEqual(2_000);
    expect(await lastAfter("-1 hour")).toBe(0);
  });

  it("is signed with the callback secret of its own project when it goes to a callback", async () => {
    const otherSecret = newWebhookSecret();
    const other = await seedProject(otherSecret);
    for (const [project, expected] of [
      [owner, callbackSecret],
      [other, otherSecret],
    ] as const) {
      const receiver = await stage.startReceiver();
      await runDelivery((await seedDelivery({ ...project, url: receiver.url })).id);
      expect(receiver.requests).toHaveLength(1);
      for (const request of receiver.requests) verifyRequest(request, expected);
    }
  });

  it("is signed by both secrets during a rotation, and by the new one alone afterwards", async () => {
    const receiver = await stage.startReceiver();
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
    verifyRequest(during, secret);
    verifyRequest(after, secret);
    expect(new Webhook(older).verify(during.body, during.headers as Record<string, string>)).toBeTruthy();
    expect(() => new Webhook(older).verify(after.body, after.headers as Record<string, string>)).toThrow();
  });

  it("is signed by both secrets of callbacks during their rotation, and by the new one alone afterwards", async () => {
    const receiver = await stage.startReceiver();
    const older = newWebhookSecret();
    for (const interval of ["1 hour", "-1 second"]) {
      await db().query(
        `UPDATE projects SET previous_callback_secret_encrypted = $2, previous_callback_secret_until = now() + $3::interval
         WHERE id = $1`,
        [owner.projectId, seal(older), interval],
      );
      await runDelivery((await seedDelivery({ ...owner, url: receiver.url })).id);
    }
    const [during, after] = receiver.requests;
    if (!during || !after) throw new Error("Two requests were expected.");
    verifyRequest(during, callbackSecret);
    verifyRequest(after, callbackSecret);
    expect(new Webhook(older).verify(during.body, during.headers as Record<string, string>)).toBeTruthy();
    expect(() => new Webhook(older).verify(after.body, after.headers as Record<string, string>)).toThrow();
  });

  it("keeps what went out and what came back, the first 64 KB of it, and no secret", async () => {
    const receiver = await stage.startReceiver({ kind: "huge", bytes: 1_000_000 });
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
  ] as const)("counts as failed when the receiver does this: %o", async (behaviour, expected) => {
    const receiver = await stage.startReceiver(behaviour);
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
    const receiver = await stage.startReceiver(() => (++calls < 3 ? { kind: "fail", status: 503 } : { kind: "ok" }));
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    expect((await runDelivery(id)).map(({ outcome }) => outcome)).toEqual(["retry", "retry", "delivered"]);
    expect(await registrationRow(registrationId)).toMatchObject({ status: "active" });
  });
});

it("waits with what no key can sign, leaves the queue no job of it, and goes out once its secret is there again", async () => {
  const receiver = await stage.startReceiver();
  const registrationId = await addRegistration(receiver.url);
  const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
  const setSecret = (sealed: string) =>
    db().query("UPDATE webhook_registrations SET secret_encrypted = $2 WHERE id = $1", [registrationId, sealed]);
  await setSecret(sealText(secret, randomBytes(32).toString("base64")));
  const logged = vi.spyOn(logging, "log").mockReturnValue();
  expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "held" });
  expect(logged.mock.calls).toEqual([["error", expect.any(String), { deliveryId: id }, expect.any(OtherKeyError)]]);
  logged.mockRestore();
  expect(await deliveryRow(id)).toMatchObject({ status: "pending", attempt_count: 0 });
  expect(receiver.requests).toEqual([]);
  await setSecret(seal(secret));
  expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "delivered" });
});

it("says in the log what came back as a text, a status too: a field of one type is what collectors of logs take", async () => {
  const logged = vi.spyOn(logging, "log").mockReturnValue();
  const { url } = await stage.startReceiver({ kind: "fail", status: 503 });
  for (const receiver of [url, "https://localhost:1/nobody"]) {
    await attemptDelivery((await seedDelivery({ ...owner, url: receiver })).id, 1, 1);
  }
  const outcomes = logged.mock.calls.map(([, , fields]) => fields?.outcome);
  logged.mockRestore();
  expect(outcomes).toEqual(["503", "CONNECTION_FAILED"]);
});

it("does not let a hanging receiver delay another", async () => {
  const [hanging, healthy] = [await stage.startReceiver({ kind: "hang" }), await stage.startReceiver()];
  const add = async (url: string) => (await seedDelivery({ ...owner, url })).id;
  const stuckIds = await Promise.all(Array.from({ length: 20 }, () => add(hanging.url)));
  const fineIds = await Promise.all(Array.from({ length: 20 }, () => add(healthy.url)));
  let stuckDone = 0;
  const stuck = stuckIds.map((id) => attemptDelivery(id, 1, 1).then(() => stuckDone++));
  await hanging.waitForRequests(20);
  for (const result of await Promise.all(fineIds.map((id) => attemptDelivery(id, 1, 1)))) {
    expect(result).toEqual({ outcome: "delivered" });
  }
  expect(stuckDone).toBe(0);
  await hanging.close();
  await Promise.all(stuck);
});
