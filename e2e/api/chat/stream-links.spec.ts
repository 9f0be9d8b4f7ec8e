import { expect, test } from "playwright/test";
import { newKey } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError, TIMESTAMP } from "@/e2e/api/support/expect-error";
import { ANSWER, expectWholeTurn, IN_PIECES, startChat } from "@/e2e/api/support/follow-stream";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { type ApiClient, apiClient, readEvents } from "@/e2e/support/api-client";
import { newCaller, releaseModel, suite } from "@/e2e/support/suite";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";

interface Link {
  url: string;
  expiresAt: string;
}

/** Whoever has a link and no key. */
const stranger = apiClient(suite.url);

async function linkTo(api: ApiClient, sessionId: string, body: object = {}): Promise<Link> {
  const answer = await api.post<Link>(`/chat/${sessionId}/stream-links`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

/** Below {base_url}, as clients of tests take it. */
const pathOf = ({ url }: Link) => url.replace(`${suite.url}/api/v1`, "");

test.describe("POST /chat/:sessionId/stream-links", () => {
  test("200 with an address of an hour, also without a body", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "Hello");
    const before = Date.now();
    const response = await api.fetch(`/chat/${sessionId}/stream-links`, { method: "POST" });
    expect(response.status).toBe(200);
    expectCommonHeaders(response.headers);
    expect(response.headers.get("access-control-allow-origin"), "it is asked for with a key: by no page").toBeNull();
    const link = (await response.json()) as Link;
    expect(link).toEqual({
      url: expect.stringContaining(`${suite.url}/api/v1/streams/v1.`),
      expiresAt: expect.stringMatching(TIMESTAMP),
    });
    expect(Math.abs(Date.parse(link.expiresAt) - before - 3_600_000)).toBeLessThan(60_000);
  });

  for (const seconds of [60, 7_200]) {
    test(`200 with an address of ${seconds} seconds where that is wanted`, async () => {
      const { api } = await newCaller();
      const sessionId = await startChat(api, "Hello");
      const { expiresAt } = await linkTo(api, sessionId, { expiresInSeconds: seconds });
      expect(Math.abs(Date.parse(expiresAt) - Date.now() - seconds * 1_000)).toBeLessThan(60_000);
    });
  }

  for (const [what, body, param] of [
    ["less than a minute", { expiresInSeconds: 59 }, "expiresInSeconds"],
    ["more than two hours", { expiresInSeconds: 7_201 }, "expiresInSeconds"],
    ["half a second", { expiresInSeconds: 90.5 }, "expiresInSeconds"],
    ["a time that is a text", { expiresInSeconds: "90" }, "expiresInSeconds"],
    ["an end user whose name is none", { endUserId: "../a" }, "endUserId"],
    ["a field that it does not know", { sessionId: "x" }, "sessionId"],
  ] as const) {
    test(`400 VALIDATION_FAILED for ${what}`, async () => {
      const { api } = await newCaller();
      const sessionId = await startChat(api, "Hello");
      expectError(await api.post(`/chat/${sessionId}/stream-links`, body), "VALIDATION_FAILED", { param });
    });
  }

  test("404 for another end user's session, as for one that nobody has", async () => {
    const { api } = await newCaller();
    const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Hello", endUserId: "user-a" });
    const path = `/chat/${body.sessionId}/stream-links`;
    expectError(await api.post(path, { endUserId: "user-b" }), "NOT_FOUND");
    expectError(await api.post(`${path}?endUserId=user-b`, {}), "NOT_FOUND");
    expectError(await api.post(`/chat/${newId("session")}/stream-links`, {}), "NOT_FOUND");
    expect((await api.post(path, { endUserId: "user-a" })).status).toBe(200);
  });
});

test.describe("GET /streams/:ticket", () => {
  test("200 with the whole turn for whoever has the link, of a chat and of a file", async () => {
    const { api } = await newCaller();
    const chat = await startChat(api, `Say it ${IN_PIECES}`);
    expectWholeTurn(await stranger.stream(pathOf(await linkTo(api, chat))), chat, ANSWER);
    const { sessionId } = await startProcessing(api, textFile("Some text\n"), { prompt: `Read it ${IN_PIECES}` });
    expectWholeTurn(await stranger.stream(pathOf(await linkTo(api, sessionId))), sessionId, ANSWER);
  });

  test("tells at the end what was answered, and not what it cost, how it was asked or what the client calls it", async () => {
    const { api } = await newCaller();
    const { body } = await api.post<{ sessionId: string }>("/chat", {
      message: "Hi [[answer:Hello]]",
      endUserId: "user-a",
      reference: "ticket-7-angry",
    });
    const events = await stranger.stream(pathOf(await linkTo(api, body.sessionId)));
    expect(events?.at(-1)).toEqual({
      event: "completed",
      id: expect.any(Number),
      data: {
        type: "completion",
        sessionId: body.sessionId,
        endUserId: "user-a",
        output: "Hello",
        status: "completed",
        outputType: "text",
        downloadUrl: null,
        timestamp: expect.stringMatching(TIMESTAMP),
      },
    });
  });

  test("goes on behind an event without gap or repeat, and is a 204 behind the last", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `Say it ${IN_PIECES}`);
    const path = pathOf(await linkTo(api, sessionId));
    const [, first, ...rest] = (await stranger.stream(path)) ?? [];
    for (const [search, headers] of [
      [`?after=${first?.id}`, {}],
      ["", { "Last-Event-ID": String(first?.id) }],
    ] as const) {
      expect((await stranger.stream(path + search, headers))?.slice(1)).toEqual(rest);
    }
    const last = await stranger.fetch(`${path}?after=${rest.at(-1)?.id}`);
    expect([last.status, last.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  });

  test("may be read by pages of any site, refusals too, with no cookie", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "Hello");
    const { url } = await linkTo(api, sessionId);
    const asked = { "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "last-event-id" };
    const preflight = await fetch(url, { method: "OPTIONS", headers: { Origin: "https://client.example", ...asked } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/\bLast-Event-ID\b/);
    expect(preflight.headers.get("access-control-allow-methods")).toMatch(/\bGET\b/);
    const refused = await fetch(`${suite.url}/api/v1/streams/v1.made-up`);
    for (const response of [preflight, await fetch(url), refused]) {
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
      expect(response.headers.get("set-cookie")).toBeNull();
      await response.body?.cancel();
    }
    expect(
      (await fetch(`${suite.url}/api/v1/chat`, { method: "OPTIONS" })).headers.get("access-control-allow-origin"),
    ).toBeNull();
  });

  test("404 for a link that is none, is cut or is too long", async () => {
    const { api } = await newCaller();
    const path = pathOf(await linkTo(api, await startChat(api, "Hello")));
    for (const wrong of ["/streams/v1.made-up", path.slice(0, -4), `/streams/v1.${"a".repeat(3_000)}`]) {
      expectError(await stranger.get(wrong), "NOT_FOUND");
    }
  });

  test("400 VALIDATION_FAILED for an event that is no number", async () => {
    const { api } = await newCaller();
    const path = pathOf(await linkTo(api, await startChat(api, "Hello")));
    expectError(await stranger.get(`${path}?after=x`), "VALIDATION_FAILED", { param: "after" });
  });

  test("429 RATE_LIMITED for the twenty-first of a session at once, which leaves the key its own", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "Wait [[hold:linked-many]]");
    const path = pathOf(await linkTo(api, sessionId));
    const gone = new AbortController();
    const open = () => stranger.fetch(path, { signal: gone.signal });
    const opened = await Promise.all(Array.from({ length: 20 }, open));
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
    expectError(await stranger.get(path), "RATE_LIMITED");
    const own = await api.fetch(`/chat/${sessionId}/stream`, { signal: gone.signal });
    expect(own.status).toBe(200);
    gone.abort();
    await releaseModel("linked-many");
    await api.waitUntilDone(`/chat/${sessionId}`);
  });

  test("ends within seconds when the key that asked for it is revoked, and opens nothing any more", async () => {
    const { account } = await newCaller();
    const { keyId, apiKey } = await newKey(account, { permissions: ["chat"] });
    const api = apiClient(suite.url, apiKey);
    const sessionId = await startChat(api, "Wait [[hold:linked-revoked]]");
    const path = pathOf(await linkTo(api, sessionId));
    const stream = readEvents(await stranger.fetch(path));
    expect((await stream.next()).value).toMatchObject({ event: "status" });
    await revokeApiKey(OPERATOR, { keyId });
    const rest: string[] = [];
    for await (const { event } of stream) rest.push(event);
    expect(rest, "the turn goes on").not.toContain("error");
    expectError(await stranger.get(path), "NOT_FOUND");
    await releaseModel("linked-revoked");
    await apiClient(suite.url, account.apiKey).waitUntilDone(`/chat/${sessionId}`);
  });
});
