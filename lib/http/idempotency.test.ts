import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { useTestSettings } from "@/e2e/support/test-settings";
import { startChatEndpoint } from "@/lib/contracts/chat";
import { NO_ALLOWANCES } from "@/lib/domain/principal";
import { holdingKey, openIdempotency, type SameCall } from "@/lib/http/idempotency";

const fail = vi.hoisted(() => async () => {
  throw new Error("The database is away.");
});
vi.mock("@/lib/services/idempotency/keep-response", () => ({ keepResponseAfterwards: fail }));
vi.mock("@/lib/services/idempotency/release-key", () => ({ releaseKey: fail }));

vi.mock("@/lib/services/idempotency/claim-key", () => ({
  claimKey: async (_who: unknown, claim: unknown) => ({ claim }),
}));

const CLAIM = { projectId: "prj_1", key: "k", requestHash: Buffer.alloc(32), requestId: "req_1", status: 201 };

beforeAll(() => useTestSettings("postgres://nowhere.example/none", { LOG_LEVEL: "warn", LOG_FORMAT: "json" }));
afterEach(() => vi.restoreAllMocks());

function listen(): () => unknown[] {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  return () => written.mock.calls.map(([line]) => JSON.parse(String(line)));
}

describe("a call that holds a key", () => {
  it("stays accepted when its answer cannot be kept, and a line in the log says so", async () => {
    const logged = listen();
    expect(await holdingKey(CLAIM, () => ({ id: "new" }))).toEqual({ id: "new" });
    expect(logged()).toEqual([
      expect.objectContaining({
        level: "warn",
        message: "The answer to a call with an idempotency key was not kept.",
        requestId: "req_1",
        error: expect.objectContaining({ message: "The database is away." }),
      }),
    ]);
  });

  it("is refused for its own reason when its key cannot be given back, and a line in the log says so", async () => {
    const logged = listen();
    const refuse = () => Promise.reject(new Error("Not so."));
    await expect(holdingKey(CLAIM, refuse)).rejects.toThrow("Not so.");
    expect(logged()).toEqual([
      expect.objectContaining({
        level: "warn",
        message: "An idempotency key was not given back.",
        requestId: "req_1",
        error: expect.objectContaining({ message: "The database is away." }),
      }),
    ]);
  });
});

describe("a call that repeats a key", () => {
  const WHO = {
    accountId: "acc_1",
    projectId: "prj_1",
    apiKeyId: "key_1",
    permissions: [],
    planId: "free",
    model: null,
    allowances: NO_ALLOWANCES,
  } as const;
  const HELD = { bytes: Buffer.from("x"), size: 1, sha256: "a".repeat(64), name: "prices.md" };
  const CALL: SameCall = {
    params: { id: "whk_1" },
    query: { maxCredits: 5 },
    body: { a: 1, b: { c: 2, d: 3 } },
    files: [HELD],
  };

  async function hashOf(changes: Partial<SameCall> = {}, path: `/${string}` = startChatEndpoint.path): Promise<string> {
    const opened = await openIdempotency({ ...startChatEndpoint, path }, WHO, { ...CALL, ...changes }, "k", "req_1");
    return opened.claim?.requestHash.toString("hex") ?? "";
  }

  it("is the same in whatever order its fields came", async () => {
    expect(await hashOf({ body: { b: { d: 3, c: 2 }, a: 1 } })).toBe(await hashOf());
  });

  it("is another one to another endpoint or thing, with another query, other fields, or another file or name that counts", async () => {
    const others = await Promise.all([
      hashOf(),
      hashOf({}, "/elsewhere"),
      hashOf({ params: { id: "whk_2" } }),
      hashOf({ query: { maxCredits: 6 } }),
      hashOf({ body: { a: 1, b: { c: 2, d: 4 } } }),
      hashOf({ files: [] }),
      hashOf({ files: [HELD, HELD] }),
      hashOf({ files: [{ ...HELD, sha256: "b".repeat(64) }] }),
      hashOf({ files: [{ ...HELD, name: "terms.md" }] }),
    ]);
    expect(new Set(others).size).toBe(others.length);
  });

  it("says beside its key whom it named, and which session it went on with", async () => {
    const named = { endUserId: "ada", sessionId: "ses_1" };
    const opened = await openIdempotency(
      startChatEndpoint,
      WHO,
      { ...CALL, body: { message: "Hi", ...named } },
      "k",
      "req_1",
    );
    expect(opened.claim).toMatchObject(named);
    const without = await openIdempotency(startChatEndpoint, WHO, { ...CALL, body: undefined }, "k", "req_1");
    expect(without.claim).toMatchObject({ endUserId: undefined, sessionId: undefined });
  });

  it("is nobody's where it asks for a quote alone", async () => {
    expect(await hashOf({ query: { dryRun: true } })).toBe("");
  });
});
