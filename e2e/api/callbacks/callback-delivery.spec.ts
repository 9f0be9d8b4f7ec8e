import { createHmac } from "node:crypto";
import { expect, test } from "playwright/test";
import { Webhook } from "standardwebhooks";
import { newTemplate } from "@/e2e/api/support/account-states";
import { TIMESTAMP } from "@/e2e/api/support/expect-error";
import { settledDelivery } from "@/e2e/api/support/settled-delivery";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { type HttpsReceiver, type ReceivedRequest, startHttpsReceiver } from "@/e2e/support/https-receiver";
import { newCaller, suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { openText } from "@/lib/domain/sealed-text";

interface Started {
  sessionId: string;
}

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
