import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { isInstalled } from "@/e2e/support/run-verification";
import { newCaller } from "@/e2e/support/suite";

const run = promisify(execFile);
/** Bound for what hangs. */
const PROGRAM_TIMEOUT_MS = 120_000;

/** What the page tells a newcomer to paste is run as it stands, with nothing but a key. */
test.describe("quick start", () => {
  let folder: string;

  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "quick-start-"));
  });

  test.afterEach(async () => rm(folder, { recursive: true, force: true }));

  test("runs as pasted into a shell", async ({ page }) => {
    const script = (await shownCode(page, "curl")).slice(1).join("\n");
    const { stdout } = await runProgram("sh", ["-ec", script]);
    expect(stdout).toContain('"sessionId":"ses_');
    expect(stdout).toContain("event: completed");
    expect(stdout).toContain('"fileName":"order.txt"');
  });

  test("runs as pasted into a TypeScript file", async ({ page }) => {
    const file = join(folder, "quick-start.mts");
    await writeFile(file, (await shownCode(page, "TypeScript")).join("\n\n"));
    const { stdout } = await runProgram(process.execPath, [file]);
    expect(stdout).toContain("event: completed");
    // After the stream's last event comes the answer about the file.
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^[^{].+/);
  });

  for (const language of ["Python" as const].filter(isInstalled)) {
    test(`runs as pasted into a ${language} file`, async ({ page }) => {
      const file = join(folder, "quick_start.py");
      await writeFile(file, (await shownCode(page, language)).join("\n\n"));
      // Without what is installed beside Python (-I): the program wants nothing but its standard library.
      const { stdout } = await runProgram("python3", ["-I", file]);
      expect(stdout).toContain("event: completed");
      expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^[^{].+/);
    });
  }

  async function runProgram(file: string, args: string[]) {
    const { account } = await newCaller();
    const env = { ...process.env, API_KEY: account.apiKey };
    return run(file, args, { cwd: folder, env, timeout: PROGRAM_TIMEOUT_MS });
  }
});

/** The code of each step, as the copy buttons copy it. */
async function shownCode(page: Page, language: string): Promise<string[]> {
  await page.goto("/");
  await page.getByRole("tab", { name: language }).click();
  const blocks = page.getByRole("tabpanel", { name: language }).locator("pre");
  await expect(blocks).toHaveCount(4);
  return blocks.allTextContents();
}
