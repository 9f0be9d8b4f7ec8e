import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { logConsole } from "@/lib/panel/log-console";
import { beginWork, type PageAnswer } from "@/lib/panel/page-answer";
import { processSingleton } from "@/lib/process-singleton";

vi.mock("@/lib/env", () => ({ env: () => ({ LOG_LEVEL: "info", LOG_FORMAT: "json" }) }));

const answers = processSingleton("page-answers", () => new AsyncLocalStorage<PageAnswer>());
const written = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
const packages = { error: console.error, warn: console.warn };
logConsole(packages);

afterEach(() => written.mockClear());

const lines = () => written.mock.calls.map(([text]) => JSON.parse(String(text)) as Record<string, unknown>);

describe("what packages write to the console", () => {
  it("is one line of the log each, without secrets", () => {
    packages.warn("of %s\nforged", "Bearer abcdefgh");
    packages.error("failed to ask", new Error("no\nconnection"));
    expect(lines()).toMatchObject([
      { level: "warn", message: "of Bearer [redacted]\nforged" },
      { level: "error", message: "failed to ask", error: { message: "no\nconnection" } },
    ]);
  });

  it("is left out while a call of an action is not read yet: its words are a stranger's", () => {
    answers.run({ requestId: "req_1", isUnreadCall: true }, () => {
      packages.error("`host` header with value `bought.example`");
      expect(lines()).toEqual([]);
      beginWork();
      packages.error("a fault of ours");
      expect(lines()).toMatchObject([{ message: "a fault of ours" }]);
    });
  });
});
