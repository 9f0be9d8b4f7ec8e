import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startBatchEndpoint } from "@/lib/contracts/batch";
import { listChatSessionsEndpoint, startChatEndpoint } from "@/lib/contracts/chat";
import { startChatBody } from "@/lib/contracts/chat-records";
import { startProcessBody } from "@/lib/contracts/process-records";
import { AppError, notFound } from "@/lib/domain/errors";
import { readParams, readQuery } from "@/lib/http/read-query";
import { validate } from "@/lib/http/validate";

function messageOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.message : String(error);
  }
}

const list = (query: string) => readQuery(listChatSessionsEndpoint.query, new URLSearchParams(query));

describe("readQuery", () => {
  it("fills in what is left out", () => {
    expect(list("")).toEqual({ limit: 20, offset: 0 });
  });

  it("reads what is given and leaves unknown parameters alone", () => {
    expect(list("limit=1&offset=40&status=failed&endUserId=a%40b&utm=x")).toEqual({
      limit: 1,
      offset: 40,
      status: "failed",
      endUserId: "a@b",
    });
  });

  it.each([
    ["limit=101", "limit must be at most 100."],
    ["limit=0", "limit must be at least 1."],
    ["limit=-1", "limit must be at least 1."],
    ["limit=abc", "limit must be a whole number."],
    ["limit=1.5", "limit must be a whole number."],
    ["limit=1e1", "limit must be a whole number."],
    ["limit=0x10", "limit must be a whole number."],
    ["limit=", "limit must be a whole number."],
    ["limit=99999999999999999999", "limit must be a whole number."],
    ["offset=-1", "offset must be at least 0."],
    ["offset=2147483648", "offset must be at most 2147483647."],
    ["limit=5&limit=6", "limit must be given once."],
    ["status=done", "status must be one of: started, resumed, completed, failed, canceled, expired."],
    ["status=", "status must be one of: started, resumed, completed, failed, canceled, expired."],
    ["endUserId=a%00b", "endUserId must not contain NUL characters."],
    // A blank, as addresses are read.
    [
      "endUserId=ann+test",
      'endUserId must be 1 to 128 letters, digits or . _ @ : + = | ~ - , begin with a letter or digit and not contain ".."; in an address + is written %2B.',
    ],
    ["endUserID=a", "endUserID must be written endUserId."],
    ["end_user_id=a", "end_user_id must be written endUserId."],
    ["endUserId[]=a", "endUserId[] must be written endUserId."],
    ["endUserId%5B0%5D=a", "endUserId[0] must be written endUserId."],
    [`${"_".repeat(200)}limit=1`, `${"_".repeat(100)} must be written limit.`],
    ["limit=0&offset=-1", "limit must be at least 1 (1 more in details)."],
  ])("says what is wrong with %s", (query, message) => {
    expect(messageOf(() => list(query))).toBe(message);
  });
});

describe("readQuery of the calls that start work", () => {
  const start = (query: string) => readQuery(startChatEndpoint.query, new URLSearchParams(query));
  const batch = (query: string) => readQuery(startBatchEndpoint.query, new URLSearchParams(query));

  it("takes dryRun=false for the same call as without it, so that its Idempotency-Key finds it", () => {
    expect(JSON.stringify(start("dryRun=false"))).toBe(JSON.stringify(start("")));
    expect(start("dryRun=true")).toEqual({ dryRun: true });
  });

  it.each([
    ["templateId=tpl_x", "templateId must be sent in the body, not in the query."],
    ["max_credits=1", "max_credits must be written maxCredits."],
    ["maxCredits=0", "maxCredits must be at least 1."],
    ["maxCredits=1.5", "maxCredits must be a whole number."],
    ["maxCredits=", "maxCredits must be a whole number."],
    ["endUserId=a", "endUserId must be sent in the body, not in the query."],
    ["session_id=ses_x", "session_id must be sent in the body as sessionId, not in the query."],
    ["dryrun=true", "dryrun must be written dryRun."],
    ["dry_run=true", "dry_run must be written dryRun."],
  ])("refuses %s, which would not count: the call would be charged or reach another's session", (query, message) => {
    expect(
      messageOf(() => readQuery(startChatEndpoint.query, new URLSearchParams(query), startChatEndpoint.body)),
    ).toBe(message);
  });

  it("refuses the file in the query too", () => {
    const { query, body } = startBatchEndpoint;
    expect(messageOf(() => readQuery(query, new URLSearchParams("file=a.txt"), body))).toBe(
      "file must be sent in the body, not in the query.",
    );
  });

  it("refuses to take a quote of a batch for the batch", () => {
    expect(messageOf(() => batch("dryRun=true"))).toBe(
      "dryRun must be left out: a batch has no quote. Quote each file by POST /process?dryRun=true.",
    );
    expect(JSON.stringify(batch("dryRun=false"))).toBe(JSON.stringify(batch("")));
  });
});

describe("readParams", () => {
  it("answers what cannot be an id like an id that is not there", () => {
    const schema = z.object({ id: z.string().refine((text) => text === "ok", "The session") });
    expect(readParams(schema, { id: "ok" })).toEqual({ params: { id: "ok" } });
    expect(readParams(schema, { id: "ses_x\0" })).toEqual({ missing: notFound("The session") });
  });
});

describe("validate", () => {
  it.each<[unknown, string]>([
    [{}, "message is required when there is no templateId."],
    [{ message: "" }, "message must not be empty."],
    [{ message: 5 }, "message must be a string."],
    [{ message: null }, "message must be a string."],
    [{ message: "x".repeat(100_001) }, "message must have at most 100000 characters."],
    [{ message: "x", nope: 1 }, "nope is not a known field."],
    [{ message: "x", a: 1, b: 2 }, "a is not a known field (1 more in details)."],
    [{ message: "x", templateVars: "{}" }, "templateVars must be an object."],
    [{ message: "x", templateVars: [] }, "templateVars must be an object; one without names is {}."],
    [{ message: "x", templateVars: { a: null } }, "templateVars.a must be a string, a number or a boolean."],
    [{ message: "x", templateVars: { a: {} } }, "templateVars.a must be a string, a number or a boolean."],
    [{ message: "x", templateVersion: 0 }, "templateVersion must be at least 1."],
    [{ message: "x", maxCredits: 1.5 }, "maxCredits must be a whole number."],
    [{ message: "x", maxCredits: "5" }, "maxCredits must be a whole number."],
    [{ message: "x", maxCredits: 2 ** 31 }, "maxCredits must be at most 2147483647."],
    [{ message: "x", maxCredits: 1e20 }, "maxCredits must be at most 2147483647."],
    [{ message: "x", templateVersion: -1e20 }, "templateVersion must be at least 1."],
    [{ message: "x", fileContent: "é".repeat(5 * 1024 * 1024 + 1) }, "fileContent must have at most 10485760 bytes."],
    [{ message: "x", callbackUrl: "" }, "callbackUrl must not be empty."],
    [JSON.parse('{"message":"x","__proto__":{"a":1}}'), "__proto__ is not a known field."],
  ])("says what is wrong with a chat body (case %#)", (body, message) => {
    expect(messageOf(() => validate(startChatBody, body))).toBe(message);
  });

  it("names each wrong field in the details", () => {
    let error: unknown;
    try {
      validate(startChatBody, { message: "", endUserId: "../x" });
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({
      code: "VALIDATION_FAILED",
      param: "message",
      details: [
        { param: "message", message: "must not be empty" },
        { param: "endUserId", message: expect.stringContaining("begin with a letter or digit") },
      ],
    });
  });

  it("says how many wrong fields there are, and how many of them it names", () => {
    const unknown = (count: number) => ({
      message: "x",
      ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1])),
    });
    expect(messageOf(() => validate(startChatBody, unknown(20)))).toBe("f0 is not a known field (19 more in details).");
    expect(messageOf(() => validate(startChatBody, unknown(51)))).toBe(
      "f0 is not a known field (50 more, 19 of them in details).",
    );
  });

  it("turns numbers and booleans of templateVars into strings", () => {
    expect(validate(startChatBody, { templateId: "tpl_x", templateVars: { a: 1, b: true, c: "x" } })).toEqual({
      templateId: "tpl_x",
      templateVars: { a: "1", b: "true", c: "x" },
    });
  });

  it("takes the greatest message and file content", () => {
    const body = { message: "x".repeat(100_000), fileContent: "é".repeat(5 * 1024 * 1024) };
    expect(validate(startChatBody, body)).toEqual(body);
  });

  it("reads whole numbers out of multipart fields", () => {
    expect(validate(startProcessBody, { prompt: "x", maxCredits: "5", templateVersion: "2" })).toMatchObject({
      maxCredits: 5,
      templateVersion: 2,
    });
    expect(messageOf(() => validate(startProcessBody, { prompt: "x", maxCredits: "five" }))).toBe(
      "maxCredits must be a whole number.",
    );
  });
});
