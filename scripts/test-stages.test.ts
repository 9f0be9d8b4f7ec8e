import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  readPlaywrightReport,
  readVitestReport,
  STAGES,
  type Stage,
  variablesOf,
  whySkipped,
} from "@/scripts/support/test-stages";

const file = (status: string, ...tests: string[]) => ({
  name: resolve("lib/a.test.ts"),
  status,
  assertionResults: tests.map((test) => ({ status: test, fullName: `is ${test}`, failureMessages: [] as string[] })),
});
const vitest = (passed: number, failed: number, changes: object = {}) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...changes,
});
const playwright = (stats: object, errors: unknown[] = [], suites: unknown[] = []) => ({
  stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  errors,
  suites,
});

describe("readVitestReport", () => {
  it.each<[string, unknown, { passed: number; failed: number }]>([
    ["all good", vitest(12, 0), { passed: 12, failed: 0 }],
    ["some failed", vitest(10, 2, { testResults: [file("failed", "passed", "failed")] }), { passed: 10, failed: 2 }],
    ["a file that cannot be loaded", vitest(10, 0, { testResults: [file("failed")] }), { passed: 10, failed: 1 }],
    [
      "a hook that failed after its tests",
      vitest(3, 0, { testResults: [file("failed", "passed")] }),
      { passed: 3, failed: 1 },
    ],
    ["skipped tests", vitest(10, 0, { numPendingTests: 2, numTodoTests: 1 }), { passed: 10, failed: 3 }],
    ["no test at all", vitest(0, 0), { passed: 0, failed: 1 }],
    ["no report", undefined, { passed: 0, failed: 1 }],
  ])("counts %s", (_what, report, expected) => {
    expect(readVitestReport(report)).toMatchObject(expected);
  });
});

describe("what passed at the second try", () => {
  it("passed, and is named", () => {
    const { assertionResults, ...rest } = file("passed", "passed", "passed");
    const [shaky, good] = assertionResults;
    const results = [{ ...shaky, fullName: "is shaky", failureMessages: ["Error: too late"] }, good];
    expect(readVitestReport(vitest(2, 0, { testResults: [{ ...rest, assertionResults: results }] }))).toEqual({
      passed: 2,
      failed: 0,
      remark: "Passed at the second try only: lib/a.test.ts is shaky",
    });
  });
});

describe("readPlaywrightReport", () => {
  it.each<[string, unknown, { passed: number; failed: number }]>([
    ["all good", playwright({ expected: 30 }), { passed: 30, failed: 0 }],
    ["some failed", playwright({ expected: 28, unexpected: 2 }, [{}]), { passed: 28, failed: 2 }],
    ["one that passed at the second try", playwright({ expected: 29, flaky: 1 }, [{}]), { passed: 30, failed: 0 }],
    ["skipped tests", playwright({ expected: 28, skipped: 2 }), { passed: 28, failed: 2 }],
    ["a setup that failed", playwright({}, [{ message: "no browser" }]), { passed: 0, failed: 1 }],
    ["an error outside of the tests", playwright({ expected: 5 }, [{}]), { passed: 5, failed: 1 }],
    ["no test at all", playwright({}), { passed: 0, failed: 1 }],
    ["no report", undefined, { passed: 0, failed: 1 }],
  ])("counts %s", (_what, report, expected) => {
    expect(readPlaywrightReport(report)).toMatchObject(expected);
  });

  it("names what passed at the second try", () => {
    const spec = (title: string, status: string) => ({ title, file: "a.spec.ts", line: 7, tests: [{ status }] });
    const suites = [{ specs: [spec("is good", "expected")], suites: [{ specs: [spec("is shaky", "flaky")] }] }];
    expect(readPlaywrightReport(playwright({ expected: 1, flaky: 1 }, [], suites)).remark).toBe(
      "Passed at the second try only: a.spec.ts:7 is shaky",
    );
  });
});

describe("a part that wants a program", () => {
  const inngest = STAGES.find(({ name }) => name === "inngest") as Stage;

  it("is skipped with a word where none is named, and is no failure", () => {
    expect(whySkipped(inngest, {} as NodeJS.ProcessEnv)).toMatch(/^INNGEST_SERVER_BIN names no Inngest server/);
  });

  it("runs where one is named, and tells its own programs alone", () => {
    const shell = { NODE_ENV: "test", INNGEST_SERVER_BIN: "/opt/inngest" } as const;
    expect(whySkipped(inngest, shell)).toBeUndefined();
    expect(variablesOf(inngest, { NODE_ENV: "test" }, shell)).toMatchObject({ INNGEST_SERVER_BIN: "/opt/inngest" });
    for (const stage of STAGES.filter((stage) => stage !== inngest)) {
      expect(whySkipped(stage, shell)).toBeUndefined();
      expect(variablesOf(stage, { NODE_ENV: "test" }, shell)).not.toHaveProperty("INNGEST_SERVER_BIN");
    }
  });
});
