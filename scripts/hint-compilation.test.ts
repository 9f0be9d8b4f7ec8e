import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMPILE_WHOLE_FILE, hintCompilation } from "@/scripts/support/hint-compilation";

let distDir: string;
const chunk = (...path: string[]) => join(distDir, "static", "chunks", ...path);

beforeEach(() => {
  distDir = mkdtempSync(join(tmpdir(), "service-hints-"));
});

afterEach(() => rmSync(distDir, { recursive: true, force: true }));

describe("the hint for the browser's compiler", () => {
  it("stands before everything else in each script of a build, once however often that is done, and in no other file", () => {
    mkdirSync(chunk("app"), { recursive: true });
    writeFileSync(chunk("one.js"), "run(1);");
    writeFileSync(chunk("app", "two.js"), "run(2);");
    writeFileSync(chunk("style.css"), "a{}");
    hintCompilation(distDir);
    hintCompilation(distDir);
    expect(readFileSync(chunk("one.js"), "utf8")).toBe(`${COMPILE_WHOLE_FILE}\nrun(1);`);
    expect(readFileSync(chunk("app", "two.js"), "utf8")).toBe(`${COMPILE_WHOLE_FILE}\nrun(2);`);
    expect(readFileSync(chunk("style.css"), "utf8")).toBe("a{}");
  });

  it("is left where a build has no scripts", () => {
    expect(() => hintCompilation(distDir)).not.toThrow();
  });
});
