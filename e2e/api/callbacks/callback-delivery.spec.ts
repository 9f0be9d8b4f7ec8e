import { createHmac } from "node:crypto";
import { expect, test } from "playwright/test";
import { Webhook } from "standardwebhooks";
import { newTemplate } from "@/e2e/api/support/account-states";
import { TIMESTAMP } from "@/e2e/api/support/expect-error";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import {
  type Behaviour,
  type HttpsReceiver,
  type ReceivedRequest,
  startHttpsReceiver,
} from "@/e2e/support/https-receiver";
import { newCaller, suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { openText } from "@/lib/domain/sealed-text";

interface Started {
  sessionId: string;
}

/** The test service waits 1 s between attempts and 2 s for an answer. */
const ATTEMPTS = 5;
const ALL_ATTEMPTS_MS = 20_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let receiver: HttpsReceiver;

test.beforeEach(async () => {
  receiver = await startHttpsReceiver({ certificates: suite.certificates });
});

test.afterEach(() => receiver.close());

const bodyOf = ({ body }: ReceivedRequest) => JSON.parse(body.toString("utf8")) as Record<string, unknown>;

async function callbackSecret({ projectId }: TestAccount): Promise<string> {
  const project = await prisma().project.findUniqueOrThrow({ where: { id: projectId } });
  return openText(project.callbackSecretEncrypted, suite.variables.ENCRYPTION_KEY ?? "");
}

/** The delivery of a session once it is settled, with its attempts in order. */
async function settledDelivery(sessionId: string) {
  const isSettled = { sessionId, status: { not: "pending" } };
  await expect.poll(() => prisma().webhookDelivery.count({ where: isSettled }), { timeout: ALL_ATTEMPTS_MS }).toBe(1);
  return prisma().webhookDelivery.findFirstOrThrow({
    where: { sessionId },
    include: { attempts: { orderBy: { number: "asc" } } },
  });
}

test.describe("a callback", () => {
  test("carries the completion exactly as the contract words it, absent values null", async () => {
    const { api } = await newCaller();
    const { body } = await api.post<Started>("/chat", {
      message: "Hi [[answer:Hello 🧪]]",
      callbackUrl: `${receiver.url}/hook?a=1`,
    });
    const [request] = await receiver.waitForRequests(1);
    const session = await api.waitUntilDone<Record<string, unknown>>(`/chat/${body.sessionId}`);
    expect(request).toMatchObject({ method: "POST", path: "/hook?a=1" });
    expect(request && bodyOf(request)).toEqual({
      type: "completion",
      sessionId: body.sessionId,
      endUserId: null,
      templateId: null,
      output: "Hello 🧪",
      status: "completed",
      creditsUsed: 1,
      tokensIn: session.tokensIn,
      tokensOut: session.tokensOut,
      outputType: "text",
      downloadUrl: null,
      timestamp: expect.stringMatching(TIMESTAMP),
    });
  });

  test("names the end user and the template of the call", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "Sum up");
    await startProcessing(api, textFile(), { templateId, endUserId: "user-a", callbackUrl: receiver.url });
    const [request] = await receiver.waitForRequests(1);
    expect(request && bodyOf(request)).toMatchObject({ type: "completion", endUserId: "user-a", templateId });
  });

  test("carries the error exactly as the contract words it", async () => {
    const { api } = await newCaller();
    const { body } = await api.post<Started>("/chat", { message: "No [[fail:400]]", callbackUrl: receiver.url });
    const [request] = await receiver.waitForRequests(1);
    expect(request && bodyOf(request)).toEqual({
      type: "error",
      sessionId: body.sessionId,
      endUserId: null,
      templateId: null,
      status: "failed",
      timestamp: expect.stringMatching(TIMESTAMP),
      error: expect.stringMatching(/^\S.*\.$/),
      errorCode: "MODEL_REJECTED",
    });
    expect(request?.headers["x-service-event"]).toBe("error");
    expect(request?.body.toString()).not.toMatch(/SECRET|org-123/);
  });

  test("has the headers of §6.3", async () => {
    const { api } = await newCaller();
    await api.post("/chat", { message: "Hi", callbackUrl: receiver.url });
    const [request] = await receiver.waitForRequests(1);
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(request?.body.length),
      "user-agent": "Service-Webhooks/1.0",
      "x-service-event": "completion",
      "x-service-delivery": expect.stringMatching(UUID),
      "x-service-signature": expect.stringMatching(/^[0-9a-f]{64}$/),
      "webhook-id": request?.headers["x-service-delivery"],
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
  });

  test("is signed over its exact bytes with the project's callback secret as it is shown", async () => {
    const { account, api } = await newCaller();
    await api.post("/chat", { message: "Ünï 日本 🧪", callbackUrl: receiver.url });
    const [request] = await receiver.waitForRequests(1);
    const secret = await callbackSecret(account);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const expected = createHmac("sha256", secret)
      .update(request?.body ?? "")
      .digest("hex");
    expect(request?.headers["x-service-signature"]).toBe(expected);
  });

  test("is taken by the Standard Webhooks library, and refused by it when a byte is changed", async () => {
    const { account, api } = await newCaller();
    await api.post("/chat", { message: "Hi", callbackUrl: receiver.url });
    const [request] = await receiver.waitForRequests(1);
    const webhook = new Webhook(await callbackSecret(account));
    const headers = request?.headers as Record<string, string>;
    const text = request?.body.toString("utf8") ?? "";
    expect(webhook.verify(text, headers)).toMatchObject({ type: "completion" });
    expect(() => webhook.verify(text.replace("completion", "Completion"), headers)).toThrow();
    const { account: stranger } = await newCaller();
    expect(() => new Webhook("whsec_AAAA").verify(text, headers)).toThrow();
    expect(await callbackSecret(stranger), "each project has a secret of its own").not.toBe(
      await callbackSecret(account),
    );
  });

  test("is sent once for each turn that asked for it, not for the turns that did not", async () => {
    const { api } = await newCaller();
    const { body } = await api.post<Started>("/chat", { message: "One [[answer:1]]", callbackUrl: receiver.url });
    await receiver.waitForRequests(1);
    await api.post("/chat", { message: "Two [[answer:2]]", sessionId: body.sessionId });
    await api.waitUntilDone(`/chat/${body.sessionId}`);
    await api.post("/chat", { message: "Three [[answer:3]]", sessionId: body.sessionId, callbackUrl: receiver.url });
    await receiver.waitForRequests(2);
    await api.waitUntilDone(`/chat/${body.sessionId}`);
    expect(receiver.requests.map(bodyOf).map(({ output }) => output)).toEqual(["1", "3"]);
    expect(await prisma().webhookDelivery.count({ where: { sessionId: body.sessionId } })).toBe(2);
  });

  test("that is answered with any 2xx is delivered at the first attempt, which is recorded", async () => {
    const { api } = await newCaller();
    receiver.behave({ kind: "ok", status: 299, body: "thanks" });
    const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
    await receiver.waitForRequests(1);
    const delivery = await settledDelivery(body.sessionId);
    expect(delivery).toMatchObject({ status: "delivered", attemptCount: 1, registrationId: null, event: "completion" });
    expect(delivery.deliveryUuid).toBe(receiver.requests[0]?.headers["x-service-delivery"]);
    expect(delivery.attempts).toHaveLength(1);
    expect(delivery.attempts[0]).toMatchObject({ number: 1, responseStatus: 299, error: null });
    expect(Buffer.from(delivery.attempts[0]?.responseBody ?? []).toString()).toBe("thanks");
    expect(JSON.stringify(delivery.attempts), "no secret in the records").not.toContain("whsec_");
  });
});

test.describe("a callback that its receiver does not take", () => {
  test("is tried five times with the same bytes and the same UUID, then failed", async () => {
    const { api } = await newCaller();
    receiver.behave({ kind: "fail", status: 500 });
    const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
    await receiver.waitForRequests(ATTEMPTS, ALL_ATTEMPTS_MS);
    const delivery = await settledDelivery(body.sessionId);
    expect(delivery).toMatchObject({ status: "failed", attemptCount: ATTEMPTS });
    expect(delivery.attempts.map(({ number, responseStatus }) => [number, responseStatus])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, 500]),
    );
    const { requests } = receiver;
    expect(requests).toHaveLength(ATTEMPTS);
    expect(new Set(requests.map(({ body: bytes }) => bytes.toString("hex"))).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers["x-service-delivery"])).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers["x-service-signature"])).size).toBe(1);
    const gaps = requests
      .slice(1)
      .map(({ receivedAt }, index) => Number(receivedAt) - Number(requests[index]?.receivedAt));
    for (const gap of gaps) expect(gap, "each a schedule's step after the one before").toBeGreaterThanOrEqual(990);
    expect((await api.get(`/chat/${body.sessionId}`)).body.status, "the session is completed all the same").toBe(
      "completed",
    );
  });

  test("is tried again until it does, and then no more", async () => {
    const { api } = await newCaller();
    receiver.behave(() => (receiver.requests.length < 3 ? { kind: "fail", status: 503 } : { kind: "ok" }));
    const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
    await receiver.waitForRequests(3);
    const delivery = await settledDelivery(body.sessionId);
    expect(delivery).toMatchObject({ status: "delivered", attemptCount: 3 });
    expect(delivery.attempts.map(({ responseStatus }) => responseStatus)).toEqual([503, 503, 200]);
    expect(receiver.requests).toHaveLength(3);
  });

  const ANSWERS: [what: string, behaviour: Behaviour, recorded: Record<string, unknown>][] = [
    ["answers 404", { kind: "fail", status: 404 }, { responseStatus: 404 }],
    ["answers 304", { kind: "fail", status: 304 }, { responseStatus: 304 }],
    [
      "cuts the connection",
      { kind: "reset" },
      { responseStatus: null, error: expect.stringMatching(/^CONNECTION_LOST/) },
    ],
    ["never answers", { kind: "hang" }, { responseStatus: null, error: expect.stringMatching(/^TIMEOUT/) }],
    [
      "drips its answer",
      { kind: "drip", everyMs: 100 },
      { responseStatus: null, error: expect.stringMatching(/^TIMEOUT/) },
    ],
    [
      "does not speak HTTP",
      { kind: "raw", text: "hello\r\n\r\n" },
      { responseStatus: null, error: expect.any(String) },
    ],
  ];
  for (const [what, behaviour, recorded] of ANSWERS) {
    test(`because it ${what} is tried again, and what came of it is recorded`, async () => {
      const { api } = await newCaller();
      receiver.behave((request) => {
        if (receiver.requests.indexOf(request) > 0) return { kind: "ok" };
        return behaviour;
      });
      const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
      await receiver.waitForRequests(2);
      const { status, attempts } = await settledDelivery(body.sessionId);
      expect(status).toBe("delivered");
      expect(attempts).toHaveLength(2);
      expect(attempts[0]).toMatchObject(recorded);
    });
  }

  test("because it redirects is not followed", async () => {
    const { api } = await newCaller();
    const elsewhere = await startHttpsReceiver({ certificates: suite.certificates });
    try {
      receiver.behave((request) =>
        receiver.requests.indexOf(request) > 0
          ? { kind: "ok" }
          : { kind: "redirect", location: `${elsewhere.url}/x`, status: 307 },
      );
      const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
      const { attempts } = await settledDelivery(body.sessionId);
      expect(attempts.map(({ responseStatus }) => responseStatus)).toEqual([307, 200]);
      expect(elsewhere.connectionCount()).toBe(0);
    } finally {
      await elsewhere.close();
    }
  });

  test("keeps no more than 64 KB of what it answers", async () => {
    const { api } = await newCaller();
    receiver.behave({ kind: "huge", bytes: 5_000_000 });
    const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
    await receiver.waitForRequests(1);
    const { attempts } = await settledDelivery(body.sessionId);
    expect(attempts[0]?.responseBody?.length).toBeLessThanOrEqual(64 * 1024);
  });

  test("because its certificate is not trusted gets nothing of it", async () => {
    const { api } = await newCaller();
    const untrusted = await startHttpsReceiver();
    try {
      const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: untrusted.url });
      const { status, attempts } = await settledDelivery(body.sessionId);
      expect(status).toBe("failed");
      expect(attempts).toHaveLength(ATTEMPTS);
      for (const { error } of attempts) expect(error).toMatch(/^TLS_FAILED/);
      expect(untrusted.requests).toEqual([]);
    } finally {
      await untrusted.close();
    }
  });

  test("because nobody is there does not hold up other callbacks of the account", async () => {
    const { api } = await newCaller();
    const gone = await startHttpsReceiver({ certificates: suite.certificates });
    await gone.close();
    await Promise.all(Array.from({ length: 5 }, () => api.post("/chat", { message: "Hi", callbackUrl: gone.url })));
    await api.post("/chat", { message: "Hi", callbackUrl: receiver.url });
    await receiver.waitForRequests(1, 5_000);
  });
});
