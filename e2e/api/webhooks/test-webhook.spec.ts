import { expect, test } from "playwright/test";
import { newKey, setVerification } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError, TIMESTAMP, withoutRequestId } from "@/e2e/api/support/expect-error";
import { register, startReceiver, verifiedEvent } from "@/e2e/api/support/webhook-receiver";
import { apiClient } from "@/e2e/support/api-client";
import type { HttpsReceiver } from "@/e2e/support/https-receiver";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { getDelivery } from "@/lib/services/deliveries/get-delivery";
import { getWebhook } from "@/lib/services/webhooks/get-webhook";

let receiver: HttpsReceiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(() => receiver.close());

test.describe("POST /b2b/webhooks/:webhookId/test 202", () => {
  for (const active of [true, false]) {
    test(`sends a completion marked as a test to a receiver that is ${active ? "active" : "switched off"}`, async () => {
      const caller = await newCaller();
      const { id, secret } = await register(caller, `${receiver.url}/in?x=1`, ["error"], { active });
      const { status, headers, body } = await caller.api.post(`//b2b/webhooks/${id}/test`, {});
      expect(status).toBe(202);
      expectCommonHeaders(headers);
      expect(body).toEqual({ deliveryId: expect.stringMatching(/^dlv_[0-9a-z]{26}$/), event: "completion" });

      await receiver.waitForRequests(1);
      const [request] = receiver.requests;
      expect(request?.path).toBe("/in?x=1");
      expect(verifiedEvent(request, secret)).toEqual({
        type: "completion",
        sessionId: expect.stringMatching(/^ses_/),
        endUserId: expect.any(String),
        templateId: null,
        output: expect.any(String),
        status: "completed",
        creditsUsed: expect.any(Number),
        tokensIn: expect.any(Number),
        tokensOut: expect.any(Number),
        outputType: "text",
        downloadUrl: null,
        timestamp: expect.stringMatching(TIMESTAMP),
        test: true,
      });
      const delivery = () => getDelivery(caller.account, String(body.deliveryId));
      await expect.poll(async () => (await delivery()).status).toBe("delivered");
      expect(await delivery()).toMatchObject({ isTest: true, attempts: [{ number: 1, responseStatus: 200 }] });
      expect((await getWebhook(caller.account, id)).status).toBe(active ? "active" : "inactive");
    });
  }

  test("makes one attempt, and a failure changes nothing about the registration", async () => {
    receiver.behave({ kind: "fail", status: 500 });
    const caller = await newCaller();
    const { id } = await register(caller, receiver.url, ["completion"]);
    const { body } = await caller.api.post(`//b2b/webhooks/${id}/test`, {});
    await expect.poll(async () => (await getDelivery(caller.account, String(body.deliveryId))).status).toBe("failed");
    expect(receiver.requests).toHaveLength(1);
    expect((await getWebhook(caller.account, id)).status).toBe("active");
    expect(await prisma().alert.count({ where: { accountId: caller.account.accountId } })).toBe(0);
  });

  test("needs no body and no content type", async () => {
    const caller = await newCaller();
    const { id } = await register(caller, receiver.url, ["completion"]);
    expect((await caller.api.fetch(`//b2b/webhooks/${id}/test`, { method: "POST" })).status).toBe(202);
    await receiver.waitForRequests(1);
  });

  test("sends once with an Idempotency-Key", async () => {
    const caller = await newCaller();
    const { id } = await register(caller, receiver.url, ["completion"]);
    const send = () => caller.api.post(`//b2b/webhooks/${id}/test`, {}, { "idempotency-key": "test-1" });
    const [one, two] = await Promise.all([send(), send()]);
    expect(two.body).toEqual(one.body);
    expect(await prisma().webhookDelivery.count({ where: { registrationId: id } })).toBe(1);
  });

  test("takes any valid key of the account", async () => {
    const caller = await newCaller();
    const { id } = await register(caller, receiver.url, ["completion"]);
    const { apiKey } = await newKey(caller.account, { permissions: ["templates"] });
    expect((await apiClient(suite.url, apiKey).post(`//b2b/webhooks/${id}/test`, {})).status).toBe(202);
  });
});

test.describe("POST /b2b/webhooks/:webhookId/test refused", () => {
  test("401, 403 and 429", async () => {
    const caller = await newCaller({ rateLimitPerMinute: 2 });
    const { id } = await register(caller, receiver.url, ["completion"]);
    const path = `//b2b/webhooks/${id}/test`;
    expectError(await apiClient(suite.url).post(path, {}), "MISSING_API_KEY");
    expect((await caller.api.post(path, {})).status).toBe(202);
    expectError(await caller.api.post(path, {}), "RATE_LIMITED");
    await setVerification(caller.account, "suspended");
    expectError(await caller.api.post(path, {}), "B2B_NOT_VERIFIED");
  });

  test("404 for another account's and for none, by the same words, and nothing is sent", async () => {
    const [caller, other] = await Promise.all([newCaller(), newCaller()]);
    const foreign = await register(other, receiver.url, ["completion"]);
    const ids = [foreign.id, "whk_01k8z3v5n6f0mve1q5t9d2x7ab", "not-an-id"];
    const answers = await Promise.all(ids.map((id) => caller.api.post(`//b2b/webhooks/${id}/test`, {})));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND", { message: "The webhook was not found." });
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
    expect(await prisma().webhookDelivery.count({ where: { registrationId: foreign.id } })).toBe(0);
  });

  test("405 for GET", async () => {
    const { api } = await newCaller();
    expectError(await api.get("//b2b/webhooks/whk_01k8z3v5n6f0mve1q5t9d2x7ab/test"), "METHOD_NOT_ALLOWED");
  });
});

test("other paths below /b2b are 404 in the API's shape", async () => {
  const { api } = await newCaller();
  for (const path of ["//b2b/webhooks", "//b2b/partners", "//b2b/x/y"]) expectError(await api.get(path), "NOT_FOUND");
});
