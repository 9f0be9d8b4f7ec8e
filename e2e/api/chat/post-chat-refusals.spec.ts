import { expect, test } from "playwright/test";
import { expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { rawRequest } from "@/e2e/api/support/raw-request";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";

const MEGABYTE = 1024 * 1024;

let account: TestAccount;
let api: ApiClient;

test.beforeAll(async () => {
  ({ account, api } = await newCaller());
});

test.afterAll(async () => {
  // Whatever was refused left nothing behind.
  expect(await prisma().session.count({ where: { projectId: account.projectId } })).toBe(0);
});

test.describe("POST /chat 400 VALIDATION_FAILED", () => {
  const CASES: [what: string, body: unknown, param: string][] = [
    ["neither message nor template", {}, "message"],
    ["an empty message", { message: "" }, "message"],
    ["a message of 100,001 characters", { message: "a".repeat(100_001) }, "message"],
    ["a message that is a number", { message: 1 }, "message"],
    ["a message that is null", { message: null }, "message"],
    ["a message with NUL", { message: "a\0b" }, "message"],
    ["an unknown field", { message: "a", mesage: "b" }, "mesage"],
    ["an unknown field with a prototype's name", '{"message":"a","__proto__":{"x":1}}', "__proto__"],
    ["a sessionId that is no string", { message: "a", sessionId: 1 }, "sessionId"],
    ["an empty sessionId", { message: "a", sessionId: "" }, "sessionId"],
    ["a templateVars that is an array", { message: "a", templateVars: ["x"] }, "templateVars"],
    ["a templateVars with an object in it", { message: "a", templateVars: { x: {} } }, "templateVars.x"],
    ["a templateVars with NUL", { message: "a", templateVars: { x: "\0" } }, "templateVars.x"],
    ["an empty fileContent", { message: "a", fileContent: "" }, "fileContent"],
    ["a fileContent above 10 MB", { message: "a", fileContent: "x".repeat(10 * MEGABYTE + 1) }, "fileContent"],
    [
      "a fileContent above 10 MB in UTF-8 alone",
      { message: "a", fileContent: "é".repeat(5 * MEGABYTE + 1) },
      "fileContent",
    ],
    ["a callbackUrl that is no string", { message: "a", callbackUrl: true }, "callbackUrl"],
    ["maxCredits of 0", { message: "a", maxCredits: 0 }, "maxCredits"],
    ["maxCredits that is a fraction", { message: "a", maxCredits: 1.5 }, "maxCredits"],
    ["maxCredits as text", { message: "a", maxCredits: "5" }, "maxCredits"],
    ["a templateVersion of 0", { message: "a", templateVersion: 0 }, "templateVersion"],
  ];
  for (const [what, body, param] of CASES) {
    test(`names the field: ${what}`, async () => {
      expectError(await api.post("/chat", body), "VALIDATION_FAILED", { param, message: param });
    });
  }

  test("names every wrong field at once", async () => {
    const response = await api.post<{ error: { details: { param: string }[] } }>("/chat", {
      message: 1,
      endUserId: "",
      x: 1,
    });
    expectError(response, "VALIDATION_FAILED");
    expect(response.body.error.details.map(({ param }) => param).sort()).toEqual(["endUserId", "message", "x"]);
  });

  test("does not come for a fileContent of exactly 10 MB", async () => {
    // Refused for its credits: everything before that check was right.
    const { api: poor } = await newCaller({ credits: 0 });
    const response = await poor.post("/chat", { message: "a", fileContent: "x".repeat(10 * MEGABYTE) });
    expectError(response, "INSUFFICIENT_CREDITS");
  });
});

test.describe("POST /chat endUserId", () => {
  const GOOD = ["a", "0", "customer-42", "A.b_c@d:e+f=g|h~i-j", "user@example.com", "a.b.c", "x".repeat(128)];
  const BAD = [
    ["empty", ""],
    ["129 characters", "x".repeat(129)],
    ["two dots", "a..b"],
    ["a path", "../a"],
    ["a slash", "a/b"],
    ["a backslash", "a\\b"],
    ["a dot first", ".a"],
    ["a dash first", "-a"],
    ["an underscore first", "_a"],
    ["a blank", "a b"],
    ["a blank at the end", "a "],
    ["a line end", "a\n"],
    ["a percent sign", "a%2e"],
    ["an accent", "é"],
    ["a look-alike letter", "аdmin"],
    ["an emoji", "🧪"],
    ["NUL", "a\0"],
    ["a number", 42],
    ["null", null],
  ] as const;
  for (const endUserId of GOOD) {
    test(`takes ${endUserId.slice(0, 20)}`, async () => {
      const { api: poor } = await newCaller({ credits: 0 });
      expectError(await poor.post("/chat", { message: "a", endUserId }), "INSUFFICIENT_CREDITS");
    });
  }
  for (const [what, endUserId] of BAD) {
    test(`refuses ${what}`, async () => {
      expectError(await api.post("/chat", { message: "a", endUserId }), "VALIDATION_FAILED", { param: "endUserId" });
    });
  }
});

test.describe("POST /chat 404", () => {
  test("is the same for a session that is missing, foreign or another end user's", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const start = async (client: ApiClient, endUserId?: string) =>
      (await client.post<{ sessionId: string }>("/chat", { message: "Hello", endUserId })).body.sessionId;
    const [foreign, own, ofA] = await Promise.all([start(other.api), start(mine.api), start(mine.api, "user-a")]);
    const answers = await Promise.all(
      [
        { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" },
        { sessionId: foreign },
        { sessionId: foreign, endUserId: "user-a" },
        { sessionId: ofA, endUserId: "user-b" },
        { sessionId: own, endUserId: "user-a" },
        { sessionId: "not-an-id" },
        { sessionId: "'; DROP TABLE sessions; --" },
      ].map((fields) => mine.api.post("/chat", { message: "Again", ...fields })),
    );
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND");
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
    const turns = await prisma().turn.count({ where: { sessionId: { in: [foreign, own, ofA] } } });
    expect(turns, "nothing was added to any of them").toBe(3);
  });

  test("is not given to the client itself, which reaches the sessions of its end users", async () => {
    const { api: mine } = await newCaller();
    const started = await mine.post<{ sessionId: string }>("/chat", { message: "Hello", endUserId: "user-a" });
    const { sessionId } = started.body;
    expect((await mine.post("/chat", { message: "Again", sessionId })).status).toBe(202);
    expect((await mine.post("/chat", { message: "Again", sessionId, endUserId: "user-a" })).status).toBe(202);
    expect((await mine.get(`/chat/${sessionId}`)).body.endUserId).toBe("user-a");
  });
});

test.describe("POST /chat 413 BODY_TOO_LARGE", () => {
  test("comes for more than 16 MB, told by its length", async () => {
    const body = JSON.stringify({ message: "x".repeat(16 * MEGABYTE) });
    expectError(await api.post("/chat", body), "BODY_TOO_LARGE");
  });

  test("comes for more than 16 MB that arrive without a length", async () => {
    async function* endless() {
      yield Buffer.from('{"message":"');
      for (let sent = 0; sent <= 17; sent++) yield Buffer.alloc(MEGABYTE, "x");
      yield Buffer.from('"}');
    }
    const response = await rawRequest({
      method: "POST",
      path: "/api/v1/chat",
      headers: { "x-api-key": account.apiKey, "content-type": "application/json", "transfer-encoding": "chunked" },
      body: endless(),
    });
    expectError(response, "BODY_TOO_LARGE");
  });
});
