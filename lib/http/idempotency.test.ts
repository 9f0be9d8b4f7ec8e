import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { useTestSettings } from "@/e2e/support/test-settings";
import { holdingKey } from "@/lib/http/idempotency";

vi.mock("@/lib/services/idempotency/keep-response", () => {
  const fail = async () => {
    throw new Error("The database is away.");
  };
  return { keepResponseAfterwards: fail, releaseKey: fail };
});

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
