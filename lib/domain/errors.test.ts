import { expect, it, vi } from "vitest";
import { AppError } from "@/lib/domain/errors";

class NarrowerError extends AppError {}

it("an AppError is one also where another copy of its module made it, as each bundle has one", async () => {
  vi.resetModules();
  const copy = await import("@/lib/domain/errors");
  expect(copy.AppError).not.toBe(AppError);
  expect(copy.notFound("The session") instanceof AppError).toBe(true);
  expect(new NarrowerError("NOT_FOUND", "Gone.") instanceof copy.AppError).toBe(true);
});

it("an AppError is no narrower one, and nothing else is an AppError", () => {
  const error = new AppError("NOT_FOUND", "Gone.");
  expect([error instanceof NarrowerError, new NarrowerError("NOT_FOUND", "Gone.") instanceof NarrowerError]).toEqual([
    false,
    true,
  ]);
  for (const other of [new Error("NOT_FOUND"), { code: "NOT_FOUND" }, null, undefined, "NOT_FOUND"])
    expect(other instanceof AppError).toBe(false);
});
