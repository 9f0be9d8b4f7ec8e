import { expect, test } from "playwright/test";
import { newKey } from "@/e2e/api/support/account-states";
import { callEndpoint, type EndpointCall, pathResource } from "@/e2e/api/support/endpoint-requests";
import { startNextService } from "@/e2e/api/support/next-service";
import { textFile } from "@/e2e/api/support/start-processing";
import { askForUpload, putUpload } from "@/e2e/api/support/upload-directly";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { operate } from "@/e2e/support/operator";
import { newCaller, suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { createTestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService } from "@/e2e/support/test-service";
import { type EndpointDefinition, endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";

/**
 * All other API tests run on the fast lane, as `npm start` serves. Hosts with Next alone (`next start`, serverless) mount
 * the same functions as route handlers: here a server of that kind, on the same database and files, has to answer alike.
 */

let service: TestService;
let account: TestAccount;
let onLane: ApiClient;
let onNext: ApiClient;

test.beforeAll(async () => {
  service = await startNextService();
  ({ account, api: onLane } = await newCaller({ planId: "scale", credits: 10_000 }));
  onNext = apiClient(service.url, account.apiKey);
});

test.afterAll(() => service.close());

/** Of one connection, or different in every answer. */
const TRANSPORT_HEADERS = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
  // Next's own: what its client routing looks at, and compression.
  "vary",
  "content-encoding",
]);

const ONE_REQUEST_ID = /^req_[0-9a-z]{26}$/;

type Answer = Awaited<ReturnType<typeof callEndpoint>>;

/** What two servers have to agree in. */
function shapeOf({ status, headers, body }: Answer) {
  const error = body.error as { code?: string; message?: string } | undefined;
  return {
    status,
    headers: [...headers.keys()].filter((name) => !TRANSPORT_HEADERS.has(name)).sort(),
    contentType: headers.get("content-type"),
    cacheControl: headers.get("cache-control"),
    // What a good answer holds goes on with the work behind it; which schema it follows is checked of each.
    error: error && { code: error.code, message: error.message },
  };
}

async function answersOf(definition: EndpointDefinition, callFor: () => Promise<EndpointCall>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const hostUrl of [suite.url, service.url]) {
    answers.push(await callEndpoint(definition, { ...(await callFor()), hostUrl }));
  }
  return answers;
}

for (const definition of ENDPOINTS) {
  const hasId = definition.path.includes(":");
  const isStream = definition.path.endsWith("/stream");
  test.describe(endpointName(definition), () => {
    const calls: [name: string, call: () => Promise<EndpointCall>][] = [
      ["without a key", () => Promise.resolve({})],
      ["with a key that nobody has", () => Promise.resolve({ apiKey: "bld_wrong" })],
      [
        "with an idempotency key that is none",
        () => Promise.resolve({ apiKey: account.apiKey, headers: { "idempotency-key": "x".repeat(300) } }),
      ],
      [
        "with an id that nobody has",
        () => Promise.resolve({ apiKey: account.apiKey, id: hasId ? pathResource(definition).missing() : "none" }),
      ],
    ];
    if (!isStream && !definition.path.endsWith("/download")) {
      calls.push([
        "as it should be called",
        async () => ({
          apiKey: account.apiKey,
          id: hasId ? await pathResource(definition).make({ account, api: onLane }) : "none",
        }),
      ]);
    }
    for (const [name, call] of calls) {
      test(`answers alike on both mounts ${name}`, async () => {
        const [lane, next] = await answersOf(definition, call);
        if (!lane || !next) throw new Error("There are two mounts.");
        expect(shapeOf(next)).toEqual(shapeOf(lane));
      });
    }
  });
}

test.describe("an open stream", () => {
  const ends: [what: string, end: (owner: TestAccount, keyId: string) => Promise<unknown>][] = [
    ["key is revoked", (_owner, keyId) => revokeApiKey({ kind: "operator" }, { keyId })],
    [
      "account is suspended",
      ({ accountId }) => suspendAccount({ kind: "operator" }, { accountId, reason: "Unpaid bills" }),
    ],
  ];
  for (const [what, end] of ends) {
    test(`ends on both mounts within seconds when its ${what}`, async () => {
      const { account: owner } = await newCaller();
      const { keyId, apiKey } = await newKey(owner);
      const message = `[[slow:500ms]] [[chunk:1]] [[answer:${"A long answer. ".repeat(4)}]]`;
      // With what each says until its end, which nobody waits for yet.
      const streams = await Promise.all(
        [suite.url, service.url].map(async (url) => {
          const api = apiClient(url, apiKey);
          const { body } = await api.post<{ sessionId: string }>("/chat", { message });
          const response = await api.fetch(`/chat/${body.sessionId}/stream`);
          expect(response.status).toBe(200);
          return { text: response.text() };
        }),
      );
      await end(owner, keyId);
      for (const { text } of streams) {
        expect(await text).toMatch(/^event: status\n/);
        expect(await text).not.toMatch(/event: (completed|error)\n/);
      }
      for (const url of [suite.url, service.url]) {
        expect((await apiClient(url, apiKey).get("/chat/sessions")).status).toBeGreaterThan(400);
      }
    });
  }
});

test("does its own work where no other server is", async () => {
  const database = await createTestDatabase();
  const alone = await startTestService({
    databaseUrl: database.url,
    modelUrl: suite.modelUrl,
    settings: { SERVICE_MOUNT: "next" },
  });
  try {
    const { apiKey } = await operate<{ apiKey: string }>(
      alone.variables,
      ...["create-account", "--company", "Alone", "--email", "owner@alone.test", "--verified", "--credits", "1000"],
    );
    const api = apiClient(alone.url, apiKey);
    const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Hello" });
    const events = await api.stream(`/chat/${body.sessionId}/stream`);
    expect(events?.at(-1)?.event).toBe("completed");
    // Whoever runs a real Inngest asks so, too.
    expect((await fetch(`${alone.url}/api/inngest`, { method: "PUT" })).status).toBe(200);
  } finally {
    await alone.close();
    await database.drop();
  }
});

test.describe("behind Next's routing", () => {
  test("streams a chat's answer to its end", async () => {
    const { body } = await onNext.post<{ sessionId: string }>("/chat", { message: "Hello" });
    const events = await onNext.stream(`/chat/${body.sessionId}/stream`);
    expect(events?.[0]?.event).toBe("status");
    expect(events?.at(-1)?.event).toBe("completed");
    const record = await onLane.get<{ lastOutput: string }>(`/chat/${body.sessionId}`);
    const deltas = events?.filter(({ event }) => event === "chunk").map(({ data }) => data.delta);
    expect(deltas?.join("")).toBe(record.body.lastOutput);
  });

  test("takes a file, and hands out parts of what became of it", async () => {
    const { body } = await onNext.upload<{ sessionId: string }>("/process", {
      file: textFile("A line of text\n".repeat(20_000)),
      prompt: "Sum up",
    });
    const path = `/process/${body.sessionId}`;
    await onNext.waitUntilDone(path);
    const whole = await (await onNext.fetch(`${path}/download`)).text();
    const part = await onNext.fetch(`${path}/download`, { headers: { Range: "bytes=1-3" } });
    expect([part.status, await part.text()]).toEqual([206, whole.slice(1, 4)]);
  });

  test("takes the bytes of a direct upload, and a processing that refers to them", async () => {
    const given = await askForUpload(onNext, 5);
    const here = { ...given, uploadUrl: `${service.url}/files/${given.uploadId}` };
    expect((await putUpload(here, "longer")).status).toBe(413);
    expect((await putUpload(here, "whole")).status).toBe(204);
    expect((await putUpload(here, "whole")).status).toBe(404);
    const { uploadId } = given;
    expect((await onNext.upload("/process", { uploadId, prompt: "Sum up" })).status).toBe(202);
    expect((await onLane.upload("/process", { uploadId, prompt: "Sum up" })).status).toBe(404);
  });

  test("answers a path that does not exist, a wrong method, HEAD and a slash too many as the lane does", async () => {
    const requests: [string, RequestInit][] = [
      ["/api/v1/end-users", {}],
      ["/b2b/nothing", {}],
      ["/v1/chat", { method: "POST" }],
      ["/process/batch", { method: "POST" }],
      ["/api/v1/chat", { method: "PATCH" }],
      ["/api/v1/health", { method: "HEAD" }],
      ["/api/v1/health/", { redirect: "manual" }],
      ["/openapi.json", {}],
    ];
    for (const [path, init] of requests) {
      const [lane, next] = await Promise.all(
        [suite.url, service.url].map(async (url) => {
          const answer = await fetch(url + path, init);
          const said = ["allow", "location", "cache-control"].map((name) => answer.headers.get(name));
          const [words] = (await answer.text()).match(/"message":"[^"]*"/) ?? [];
          return { said: [path, answer.status, ...said, words], headers: answer.headers };
        }),
      );
      expect(next?.said).toEqual(lane?.said);
      for (const answer of [lane, next]) expect(answer?.headers.get("x-request-id"), path).toMatch(ONE_REQUEST_ID);
    }
  });
});
