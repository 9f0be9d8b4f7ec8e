import { expect, it } from "vitest";
import type { RunProgress } from "@/components/templates/example-run";
import { progressWords } from "@/components/templates/progress-words";

const words = (outcomes: Partial<RunProgress["outcomes"]>, more: Partial<RunProgress> = {}) =>
  progressWords({
    started: 4,
    all: 4,
    credits: 7,
    isRunning: false,
    canStop: false,
    outcomes: { answered: 0, refused: 0, failed: 0, lost: 0, ...outcomes },
    ...more,
  });

it("says that all is done when all are answered", () => {
  expect(words({ answered: 4 })).toBe("All done, 7 credits in all");
});

it("counts what has no answer with nothing that is done, and says what came of it", () => {
  expect(words({ answered: 3, refused: 1 })).toBe("3 of 4 answered, 1 refused, 7 credits in all");
  expect(words({ refused: 1, failed: 1, lost: 2 }, { credits: 0 })).toBe(
    "0 of 4 answered, 1 refused, 1 failed, 2 connections lost, 0 credits in all",
  );
});

it("says so while the others go on, and when the rest was stopped", () => {
  const one = { answered: 1, refused: 1 };
  expect(words(one, { isRunning: true })).toBe("1 of 4 answered, 1 refused, 7 credits so far");
  expect(words(one, { started: 2 })).toBe("Stopped: 2 of 4 started, 1 refused, 7 credits in all");
});
