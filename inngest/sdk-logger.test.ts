import { RetryAfterError } from "inngest";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useTestSettings } from "@/e2e/support/test-settings";
import { sdkLogger } from "@/inngest/sdk-logger";
import { PutOffError } from "@/lib/domain/put-off-error";

function logLines(): string[] {
  useTestSettings("postgres://localhost/none", { LOG_LEVEL: "debug", LOG_FORMAT: "json" });
  const lines: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  return lines;
}

describe("what the queue's SDK says", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is one line of ours, with the error's name and words and nothing else that hangs on it", () => {
    const lines = logLines();
    const err = Object.assign(new Error("refused\nby the server"), { recipient: "ann@acme.example" });
    sdkLogger.error({ err }, "Inngest step error");
    sdkLogger.warn("No signing key", { of: "what" });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "error", message: "Inngest step error", error: { name: "Error", message: "refused\nby the server" } },
      { level: "warn", message: "No signing key" },
    ]);
    expect(lines.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
    expect(lines.join("")).not.toContain("acme.example");
  });

  it("is no alarm when a function asks for its next try, nor news when only the model, a mail server or a chat failed, and an alarm when it broke", () => {
    const lines = logLines();
    const cause = new Error("database away");
    sdkLogger.error({ err: new RetryAfterError("The model is busy", 1_000) }, "Inngest function error");
    sdkLogger.error({ err: new PutOffError("451 try later") }, "Inngest step error");
    sdkLogger.error({ err: new RetryAfterError("A fault of the service", 1_000, { cause }) }, "Inngest function error");
    sdkLogger.error({ err: new TypeError("a fault") }, "Inngest function error");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "debug", error: { message: "The model is busy" } },
      { level: "debug", error: { message: "451 try later" } },
      { level: "info", error: { message: "A fault of the service", cause: { message: "database away" } } },
      { level: "error", error: { message: "a fault" } },
    ]);
  });
});
