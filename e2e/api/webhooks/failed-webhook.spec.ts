import { expect, test } from "playwright/test";
import { Webhook } from "standardwebhooks";
import { register, startReceiver, verifiedEvent } from "@/e2e/api/support/webhook-receiver";
import type { HttpsReceiver } from "@/e2e/support/https-receiver";
import { newCaller } from "@/e2e/support/suite";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { listDeliveries } from "@/lib/services/deliveries/list-deliveries";
import { resendFailedDeliveries } from "@/lib/services/deliveries/resend-failed-deliveries";
import { getWebhook } from "@/lib/services/webhooks/get-webhook";
import { reactivateWebhook } from "@/lib/services/webhooks/reactivate-webhook";
import { rotateWebhookSecret } from "@/lib/services/webhooks/rotate-webhook-secret";

const ACTOR = { kind: "operator" } as const;
const PAGE = { limit: 100, offset: 0 };

const receivers: HttpsReceiver[] = [];

test.afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function newReceiver(...args: Parameters<typeof startReceiver>): Promise<HttpsReceiver> {
  const receiver = await startReceiver(...args);
  receivers.push(receiver);
  return receiver;
}

test("five attempts on schedule, then failed with one alert and silence, until it is switched on and sent again", async () => {
  const receiver = await newReceiver({ kind: "fail", status: 503 });
  const caller = await newCaller();
  const { account, api } = caller;
  const { id, secret } = await register(caller, receiver.url, ["completion"]);
  await api.post("/chat", { message: "One" });

  await receiver.waitForRequests(5, 30_000);
  const attempts = receiver.requests.slice();
  for (const request of attempts) {
    expect(verifiedEvent(request, secret)).toMatchObject({ type: "completion", output: "Echo: One" });
    expect(request.body.equals(attempts[0]?.body ?? Buffer.of())).toBe(true);
    expect(request.headers["x-service-delivery"]).toBe(attempts[0]?.headers["x-service-delivery"]);
  }
  // The schedule of this run: one second between attempts.
  for (let index = 1; index < attempts.length; index += 1) {
    const gap = Number(attempts[index]?.receivedAt) - Number(attempts[index - 1]?.receivedAt);
    expect(gap).toBeGreaterThanOrEqual(950);
    expect(gap).toBeLessThan(6_000);
  }
  await expect.poll(async () => (await getWebhook(account, id)).status).toBe("failed");
  const alerts = await listAlerts(account, PAGE);
  expect(alerts.data).toMatchObject([{ kind: "webhook.failed", subjectId: id, projectId: account.projectId }]);

  // Kept, and not sent.
  const second = await api.post<{ sessionId: string }>("/chat", { message: "Two" });
  await api.waitUntilDone(`/chat/${second.body.sessionId}`);
  const statuses = async () =>
    (await listDeliveries(account, PAGE, { webhookId: id })).data.map(({ status }) => status);
  await expect.poll(statuses).toEqual(["held", "failed"]);
  expect(receiver.requests).toHaveLength(5);

  // Switched on: new events go out, the old ones wait to be sent again.
  receiver.behave({ kind: "ok" });
  await reactivateWebhook(ACTOR, account, id);
  expect((await listAlerts(account, PAGE)).data).toEqual([]);
  await api.post("/chat", { message: "Three" });
  await receiver.waitForRequests(6);
  expect(verifiedEvent(receiver.requests[5], secret).output).toBe("Echo: Three");
  await expect.poll(statuses).toEqual(["delivered", "held", "failed"]);
  expect(await resendFailedDeliveries(account, id)).toBe(2);
  await receiver.waitForRequests(8);
  const again = receiver.requests.slice(6);
  expect(again.map((request) => verifiedEvent(request, secret).output).sort()).toEqual(["Echo: One", "Echo: Two"]);
  const first = again.find((request) => request.body.equals(attempts[0]?.body ?? Buffer.of()));
  expect(first?.headers["x-service-delivery"], "the same delivery").toBe(attempts[0]?.headers["x-service-delivery"]);
  await expect.poll(statuses).toEqual(["delivered", "delivered", "delivered"]);
  expect((await getWebhook(account, id)).lastDeliveryAt).not.toBeNull();
});

test("a receiver that recovers gets the event at its next attempt, and stays active", async () => {
  let calls = 0;
  const receiver = await newReceiver(() =>
    ++calls < 3 ? { kind: "redirect", location: "https://localhost/" } : { kind: "ok" },
  );
  const caller = await newCaller();
  const { id } = await register(caller, receiver.url, ["completion"]);
  await caller.api.post("/chat", { message: "Hello" });
  await receiver.waitForRequests(3);
  const list = async () => (await listDeliveries(caller.account, PAGE, { webhookId: id })).data;
  await expect.poll(async () => (await list())[0]?.status).toBe("delivered");
  expect((await list())[0]?.attempts.map(({ responseStatus }) => responseStatus)).toEqual([302, 302, 200]);
  expect((await getWebhook(caller.account, id)).status).toBe("active");
});

test("a hanging receiver delays no other", async () => {
  const JOBS = 24;
  const [hanging, healthy] = [await newReceiver({ kind: "hang" }), await newReceiver()];
  const caller = await newCaller();
  const { account, api } = caller;
  await register(caller, hanging.url, ["session.started", "completion"]);
  await register(caller, healthy.url, ["session.started", "completion"]);
  await Promise.all(Array.from({ length: JOBS }, (_, index) => api.post("/chat", { message: `job ${index}` })));
  await healthy.waitForRequests(2 * JOBS, 20_000);
  expect(hanging.requests.length, "waits for its own places").toBeLessThan(2 * JOBS);
  expect(new Set(healthy.requests.map(({ headers }) => headers["x-service-delivery"])).size).toBe(2 * JOBS);
  expect((await listAlerts(account, PAGE)).data).toEqual([]);
});

test("after a rotation both secrets verify, the new one in X-Service-Signature", async () => {
  const receiver = await newReceiver();
  const caller = await newCaller();
  const { id, secret: old } = await register(caller, receiver.url, ["completion"]);
  const { secret } = await rotateWebhookSecret(ACTOR, caller.account, id);
  await caller.api.post(`//b2b/webhooks/${id}/test`, {});
  await receiver.waitForRequests(1);
  const [request] = receiver.requests;
  verifiedEvent(request, secret);
  const headers = request?.headers as Record<string, string>;
  expect(new Webhook(old).verify(request?.body ?? "", headers)).toBeTruthy();
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
});
