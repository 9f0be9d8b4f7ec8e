import { expect, test } from "playwright/test";
import { newTemplate, setTokensUsed } from "@/e2e/api/support/account-states";
import { expectError, TIMESTAMP } from "@/e2e/api/support/expect-error";
import { register, startReceiver, verifiedEvent } from "@/e2e/api/support/webhook-receiver";
import { apiClient } from "@/e2e/support/api-client";
import type { HttpsReceiver } from "@/e2e/support/https-receiver";
import { newCaller, suite } from "@/e2e/support/suite";
import { addTestProject } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { PLANS } from "@/lib/domain/plans";
import { TURN_ERROR_CODES } from "@/lib/domain/turn-errors";
import { WEBHOOK_EVENTS } from "@/lib/domain/webhook-events";
import { setPlan } from "@/lib/services/accounts/set-plan";

interface Started {
  sessionId: string;
}

interface Session {
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
  createdAt: string;
}

let receiver: HttpsReceiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(() => receiver.close());

/** Everything that came of one kind, verified; in the order of arrival, which promises nothing. */
const eventsOf = (kind: string, secret: string) =>
  receiver.requests
    .filter(({ headers }) => headers["x-service-event"] === kind)
    .map((each) => verifiedEvent(each, secret));

test("completion and session.started have the fields of §6.2 and contract §8, exactly", async () => {
  const caller = await newCaller();
  const { api, account } = caller;
  const { secret } = await register(caller, receiver.url, ["completion", "session.started"]);
  const templateId = await newTemplate(account, 'Say {{word}} [[answer:Grüße 🙂 \\ "quoted"]]');
  const { body } = await api.post<Started>("/chat", { templateId, templateVars: { word: "x" }, endUserId: "ada" });
  const session = await api.waitUntilDone<Session>(`/chat/${body.sessionId}`);
  await receiver.waitForRequests(2);
  expect(eventsOf("session.started", secret)).toEqual([
    {
      type: "session.started",
      sessionId: body.sessionId,
      endUserId: "ada",
      templateId,
      status: "started",
      timestamp: session.createdAt,
    },
  ]);
  expect(eventsOf("completion", secret)).toEqual([
    {
      type: "completion",
      sessionId: body.sessionId,
      endUserId: "ada",
      templateId,
      output: 'Grüße 🙂 \\ "quoted"',
      status: "completed",
      creditsUsed: session.creditsUsed,
      tokensIn: session.tokensIn,
      tokensOut: session.tokensOut,
      outputType: "text",
      downloadUrl: null,
      timestamp: expect.stringMatching(TIMESTAMP),
    },
  ]);
});

test("error carries the message and its code", async () => {
  const caller = await newCaller();
  const { secret } = await register(caller, receiver.url, ["error"]);
  const { body } = await caller.api.post<Started>("/chat", { message: "x [[fail:400]]" });
  await receiver.waitForRequests(1);
  const session = await caller.api.waitUntilDone<{ error: { code: string; message: string } }>(
    `/chat/${body.sessionId}`,
  );
  const [event] = eventsOf("error", secret);
  expect(event).toEqual({
    type: "error",
    sessionId: body.sessionId,
    endUserId: null,
    templateId: null,
    status: "failed",
    error: session.error.message,
    errorCode: session.error.code,
    timestamp: expect.stringMatching(TIMESTAMP),
  });
  expect(TURN_ERROR_CODES).toContain(event?.errorCode);
});

test("completion and error name the template of their own turn, null when it had none: webhook, callback and stream", async () => {
  const caller = await newCaller();
  const { api, account } = caller;
  await register(caller, `${receiver.url}/hook`, ["completion", "error"]);
  const templateId = await newTemplate(account, "Say it");
  const callbackUrl = `${receiver.url}/callback`;
  const { sessionId } = (await api.post<Started>("/chat", { templateId, callbackUrl })).body;
  await api.waitUntilDone(`/chat/${sessionId}`);
  for (const message of ["Hello", "x [[fail:400]]"]) {
    await api.post("/chat", { message, sessionId, callbackUrl });
    if (message === "Hello") {
      const events = await api.stream(`/chat/${sessionId}/stream`);
      expect(events?.at(-1)).toMatchObject({ event: "completed", data: { templateId: null } });
    }
    await api.waitUntilDone(`/chat/${sessionId}`);
  }
  await receiver.waitForRequests(6);
  const told = receiver.requests.map(({ path, body }) => ({ path, ...JSON.parse(body.toString("utf8")) }));
  for (const path of ["/hook", "/callback"]) {
    const templates = (type: string) =>
      told.filter((each) => each.path === path && each.type === type).map((each) => each.templateId);
    expect(new Set(templates("completion")), path).toEqual(new Set([templateId, null]));
    expect(templates("error"), path).toEqual([null]);
  }
  expect((await api.get(`/chat/${sessionId}`)).body).toMatchObject({ templateId });
});

test("session.started comes once per session, however many turns it has, for processings too", async () => {
  const caller = await newCaller();
  const { api } = caller;
  const { secret } = await register(caller, receiver.url, ["session.started", "completion"]);
  const { body } = await api.post<Started>("/chat", { message: "One" });
  await api.post("/chat", { message: "Two", sessionId: body.sessionId });
  await api.post("/chat", { message: "Three", sessionId: body.sessionId });
  const file = new File(["hello"], "a.txt", { type: "text/plain" });
  const processing = await api.upload<Started>("/process", { file, prompt: "Summarise" });
  await receiver.waitForRequests(6);
  const started = eventsOf("session.started", secret).map(({ sessionId }) => sessionId);
  expect(started.sort()).toEqual([body.sessionId, processing.body.sessionId].sort());
});

test("tokens.exceeded comes once per period, with the call that crossed the limit, also when the limit is raised", async () => {
  const caller = await newCaller({ planId: "free" });
  const { account, api } = caller;
  const limit = PLANS.free.tokensPerMonth ?? 0;
  const { secret } = await register(caller, receiver.url, ["tokens.exceeded", "completion"]);
  await setTokensUsed(account, limit - 1);
  const { body } = await api.post<Started>("/chat", { message: "Hello", endUserId: "ada" });
  const session = await api.waitUntilDone<Session>(`/chat/${body.sessionId}`);
  await receiver.waitForRequests(2);
  const now = new Date();
  expect(eventsOf("tokens.exceeded", secret)).toEqual([
    {
      type: "tokens.exceeded",
      sessionId: body.sessionId,
      endUserId: "ada",
      templateId: null,
      status: "completed",
      tokensUsed: limit - 1 + session.tokensIn + session.tokensOut,
      tokenLimit: limit,
      periodEnd: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString(),
      timestamp: expect.stringMatching(TIMESTAMP),
    },
  ]);
  expectError(await api.post("/chat", { message: "Again" }), "TOKEN_LIMIT_REACHED");

  await setPlan({ kind: "operator" }, { accountId: account.accountId, planId: "starter" });
  await prisma().accountPeriod.updateMany({
    where: { accountId: account.accountId },
    data: { tokensUsed: BigInt((PLANS.starter.tokensPerMonth ?? 0) - 1) },
  });
  const second = await api.post<Started>("/chat", { message: "Hello" });
  await api.waitUntilDone(`/chat/${second.body.sessionId}`);
  await receiver.waitForRequests(3);
  expectError(await api.post("/chat", { message: "Again" }), "TOKEN_LIMIT_REACHED");
  const where = { accountId: account.accountId, event: "tokens.exceeded" };
  expect(await prisma().webhookDelivery.count({ where })).toBe(1);
});

test("tokens.exceeded goes to the account's other projects too, without the session, and when a smaller plan is used up", async () => {
  const caller = await newCaller({ planId: "starter" });
  const { account } = caller;
  const { secret } = await register(caller, receiver.url, ["tokens.exceeded"]);
  const other = apiClient(suite.url, (await addTestProject(account, "Other")).apiKey);
  await setTokensUsed(account, (PLANS.starter.tokensPerMonth ?? 0) - 1);
  const { body } = await other.post<Started>("/chat", { message: "Hello", endUserId: "ada" });
  await other.waitUntilDone(`/chat/${body.sessionId}`);
  await receiver.waitForRequests(1);
  expect(eventsOf("tokens.exceeded", secret)).toMatchObject([
    { sessionId: null, endUserId: null, templateId: null, status: null, tokenLimit: PLANS.starter.tokensPerMonth },
  ]);

  const smaller = await newCaller({ planId: "starter" });
  const { secret: next } = await register(smaller, `${receiver.url}/smaller`, ["tokens.exceeded"]);
  await setTokensUsed(smaller.account, 150_000);
  await setPlan({ kind: "operator" }, { accountId: smaller.account.accountId, planId: "free" });
  const [, told] = await receiver.waitForRequests(2);
  expect(verifiedEvent(told, next)).toMatchObject({
    sessionId: null,
    tokensUsed: 150_000,
    tokenLimit: 100_000,
  });
});

test("only active registrations of the project that want the kind are told", async () => {
  const [caller, other] = await Promise.all([newCaller(), newCaller()]);
  const wanting = await register(caller, `${receiver.url}/wanting`, ["completion"]);
  await register(caller, `${receiver.url}/other-kind`, ["session.timeout", "error"]);
  await register(caller, `${receiver.url}/off`, [...WEBHOOK_EVENTS], { active: false });
  await register(other, `${receiver.url}/other-account`, [...WEBHOOK_EVENTS]);
  const { body } = await caller.api.post<Started>("/chat", { message: "Hello" });
  await caller.api.waitUntilDone(`/chat/${body.sessionId}`);
  await receiver.waitForRequests(1);
  expect(receiver.requests.map(({ path }) => path)).toEqual(["/wanting"]);
  expect(verifiedEvent(receiver.requests[0], wanting.secret).sessionId).toBe(body.sessionId);
  // The log says it for good: nothing else was ever planned.
  expect(await prisma().webhookDelivery.count({ where: { sessionId: body.sessionId } })).toBe(1);
});
