import { expect, test } from "playwright/test";
import { newKey } from "@/e2e/api/support/account-states";
import { type ApiClient, apiClient, textOfStream } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { startTestService, type TestService } from "@/e2e/support/test-service";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";

/** What has to hold when several server processes share a database: every test runs beside a second one. */

let second: TestService;

test.beforeAll(async () => {
  const { PORT: _port, APP_URL: _appUrl, DATABASE_URL = "", OPENAI_BASE_URL = "", ...shared } = suite.variables;
  second = await startTestService({
    databaseUrl: DATABASE_URL,
    modelUrl: OPENAI_BASE_URL,
    settings: { ...shared, STREAM_PING_SECONDS: "1" },
  });
});

test.afterAll(() => second?.close());

const onSecond = (apiKey: string): ApiClient => apiClient(second.url, apiKey);

test("a stream on one server follows a call that came in on another", async () => {
  const { account, api } = await newCaller();
  const other = onSecond(account.apiKey);
  for (const [here, there] of [
    [api, other],
    [other, api],
  ] as const) {
    const message = "[[first:300ms]] [[slow:40ms]] [[chunk:5]] [[answer:One answer for all who listen]]";
    const { body } = await here.post<{ sessionId: string }>("/chat", { message });
    const [a, b] = await Promise.all([
      here.stream(`/chat/${body.sessionId}/stream`),
      there.stream(`/chat/${body.sessionId}/stream`),
    ]);
    expect(textOfStream(a ?? [])).toBe("One answer for all who listen");
    expect(b?.slice(1)).toEqual(a?.slice(1));
    expect(await there.waitUntilDone(`/chat/${body.sessionId}`)).toMatchObject({ creditsUsed: 1 });
  }
});

test("a stream that was broken on one server goes on where it was on another", async () => {
  const { account, api } = await newCaller();
  const message = "[[slow:60ms]] [[chunk:4]] [[answer:The quick brown fox jumps over the lazy dog]]";
  const { body } = await api.post<{ sessionId: string }>("/chat", { message });
  const path = `/chat/${body.sessionId}/stream`;
  const whole = await api.stream(path);
  const cut = whole?.[3]?.id;
  const rest = await onSecond(account.apiKey).stream(path, { "last-event-id": String(cut) });
  expect(rest?.slice(1)).toEqual(whole?.slice(4));
});

test("a silent stream is kept open by comments, which are no events", async () => {
  const { account } = await newCaller();
  const api = onSecond(account.apiKey);
  const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Wait [[first:1700ms]] [[answer:Done]]" });
  const response = await api.fetch(`/chat/${body.sessionId}/stream`);
  const text = await response.text();
  const blocks = text.split("\n\n").filter(Boolean);
  expect(blocks[0]).toMatch(/^event: status\n/);
  expect(blocks[1]).toBe(": ping");
  expect(blocks.filter((block) => block === ": ping").length).toBeLessThanOrEqual(3);
  expect(blocks.at(-1)).toMatch(/^id: \d+\nevent: completed\n/);
});

test("a rate limit is one for all servers", async () => {
  const { account, api } = await newCaller({ rateLimitPerMinute: 10 });
  const other = onSecond(account.apiKey);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? api : other).get("/chat/sessions")),
  );
  const allowed = answers.filter(({ status }) => status === 200).length;
  expect(allowed).toBeGreaterThanOrEqual(10);
  expect(allowed, "at most one more was refilled meanwhile").toBeLessThanOrEqual(11);
});

test("a key that is revoked is refused by every server at once", async () => {
  const { account } = await newCaller();
  const { keyId, apiKey } = await newKey(account);
  for (const url of [suite.url, second.url])
    expect((await apiClient(url, apiKey).get("/chat/sessions")).status).toBe(200);
  await revokeApiKey({ kind: "operator" }, { keyId });
  const answers = await Promise.all([suite.url, second.url].map((url) => apiClient(url, apiKey).get("/chat/sessions")));
  for (const { status, body } of answers)
    expect([status, (body.error as { code: string }).code]).toEqual([401, "INVALID_API_KEY"]);
});

test("turns of one session run in order, whichever servers took them", async () => {
  const { account, api } = await newCaller();
  const other = onSecond(account.apiKey);
  const { body } = await api.post<{ sessionId: string }>("/chat", { message: "0 [[first:300ms]] [[answer:a0]]" });
  for (let turn = 1; turn <= 4; turn++) {
    await (turn % 2 ? other : api).post("/chat", { message: `${turn} [[answer:a${turn}]]`, sessionId: body.sessionId });
  }
  const { messages } = await api.waitUntilDone<{ messages: { content: string }[] }>(`/chat/${body.sessionId}`);
  expect(messages.map(({ content }) => content.split(" ")[0])).toEqual([
    "0",
    "a0",
    "1",
    "a1",
    "2",
    "a2",
    "3",
    "a3",
    "4",
    "a4",
  ]);
});

test("credits cannot be spent twice on two servers", async () => {
  const { account, api } = await newCaller({ credits: 5 });
  const other = onSecond(account.apiKey);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? api : other).post("/chat", { message: "Hi [[first:200ms]]" }),
    ),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
  for (const { status } of answers) expect([202, 402]).toContain(status);
});
