import { afterEach, describe, expect, it, vi } from "vitest";
import { useTestSettings } from "@/e2e/support/test-settings";
import { sdkLogger } from "@/inngest/sdk-logger";

describe("what the queue's SDK says", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is one line of ours, with the error's name and words and nothing else that hangs on it", () => {
    useTestSettings("postgres://localhost/none", { LOG_LEVEL: "debug", LOG_FORMAT: "json" });
    const lines: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
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
});
