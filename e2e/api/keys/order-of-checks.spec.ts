import { expect, test } from "playwright/test";
import { newKey, setVerification, switchApiOff, switchApiOn } from "@/e2e/api/support/account-states";
import { expectError } from "@/e2e/api/support/expect-error";
import { textFile } from "@/e2e/api/support/start-processing";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import type { ErrorCode } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";

/** A call that is wrong in every way is told of one thing after the other, in the contract's order (contract §2). */
test("key, its addresses, verification, project, permission, rate limit, body, credits, handler", async () => {
  const { account } = await newCaller({ credits: 0, rateLimitPerMinute: 1 });
  const powerless = await newKey(account, { permissions: ["templates"] });
  const elsewhere = await newKey(account, { permissions: ["templates"], allowedNetworks: ["203.0.113.0/24"] });
  const limited = await newKey(account, { permissions: ["chat"] });
  const fresh = await newKey(account, { permissions: ["chat"] });
  const wrongBody = { message: 1, sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" };
  const told: ErrorCode[] = [];
  const post = async (apiKey: string | undefined, body: unknown, code: ErrorCode) => {
    expectError(await apiClient(suite.url, apiKey).post("/chat", body), code);
    told.push(code);
  };
  await setVerification(account, "pending");
  await switchApiOff(account);
  await post(undefined, wrongBody, "MISSING_API_KEY");
  await post("bld_wrong", wrongBody, "INVALID_API_KEY");
  await post(elsewhere.apiKey, wrongBody, "ADDRESS_NOT_ALLOWED");
  await post(powerless.apiKey, wrongBody, "B2B_NOT_VERIFIED");
  await setVerification(account, "verified");
  await post(powerless.apiKey, wrongBody, "API_DISABLED");
  await switchApiOn(account);
  await post(powerless.apiKey, wrongBody, "INSUFFICIENT_PERMISSION");
  await apiClient(suite.url, limited.apiKey).get("/chat/sessions");
  await post(limited.apiKey, wrongBody, "RATE_LIMITED");
  await post(fresh.apiKey, wrongBody, "VALIDATION_FAILED");
  const last = await newKey(account, { permissions: ["chat"] });
  await post(last.apiKey, { ...wrongBody, message: "right" }, "INSUFFICIENT_CREDITS");
  expect(told).toHaveLength(9);
});

test("credits go before whatever is not there, and a quote, which needs none, says what is not there", async () => {
  const { api } = await newCaller({ credits: 0 });
  const file = textFile("A line of text");
  const prompt = "Sum up";
  const templateId = newId("template");
  expectError(await api.post("/chat", { templateId }), "INSUFFICIENT_CREDITS");
  expectError(await api.post("/chat", { message: "Hi", sessionId: newId("session") }), "INSUFFICIENT_CREDITS");
  expectError(await api.post("/b2b/send", { templateId }), "INSUFFICIENT_CREDITS");
  expectError(await api.upload("/process", { file, templateId }), "INSUFFICIENT_CREDITS");
  expectError(await api.upload("/process/batch", { file, templateId }), "INSUFFICIENT_CREDITS");
  expectError(await api.upload("/process", { uploadId: "none", prompt }), "INSUFFICIENT_CREDITS");
  expectError(await api.post("/chat?dryRun=true", { templateId }), "NOT_FOUND");
  const { api: rich } = await newCaller();
  expectError(await rich.post("/chat", { templateId }), "NOT_FOUND");
  expectError(await rich.upload("/process", { uploadId: "none", prompt }), "NOT_FOUND");
});

test("a refused call takes nothing from the rate limit, a wrong body does", async () => {
  const { account, api } = await newCaller({ rateLimitPerMinute: 3 });
  const { apiKey } = await newKey(account, { permissions: ["templates"] });
  const powerless = apiClient(suite.url, apiKey);
  for (let call = 0; call < 5; call++) {
    const response = await powerless.get("/chat/sessions");
    expectError(response, "INSUFFICIENT_PERMISSION");
    expect(response.headers.get("ratelimit-remaining")).toBe("3");
  }
  for (let call = 0; call < 3; call++) expectError(await api.post("/chat", {}), "VALIDATION_FAILED");
  expectError(await api.post("/chat", {}), "RATE_LIMITED");
});
