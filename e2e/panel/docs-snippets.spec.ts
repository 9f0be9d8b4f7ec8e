import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, type Page } from "playwright/test";
import { endUserSnippets } from "@/components/docs/snippets/end-users";
import { fileSnippets } from "@/components/docs/snippets/files";
import { listSnippets } from "@/components/docs/snippets/lists";
import { reliableCallSnippets } from "@/components/docs/snippets/reliable-calls";
import type { SnippetGroup, SnippetLanguage } from "@/components/docs/snippets/snippet";
import { streamingSnippets } from "@/components/docs/snippets/streaming";
import { templateSnippets } from "@/components/docs/snippets/templates";
import { VERIFY_FRESHNESS } from "@/components/docs/snippets/webhook-freshness";
import { RECEIVER } from "@/components/docs/snippets/webhook-receiver";
import { webhookSetupSnippets } from "@/components/docs/snippets/webhook-setup";
import { VERIFY_SIGNATURE } from "@/components/docs/snippets/webhook-signature";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { serviceUrl, test } from "@/e2e/support/browser-test";
import { startHttpsReceiver } from "@/e2e/support/https-receiver";
import { isInstalled } from "@/e2e/support/run-verification";
import { newCaller, suite } from "@/e2e/support/suite";

const run = promisify(execFile);
/** Bound for what hangs. */
const PROGRAM_TIMEOUT_MS = 120_000;

const hostUrl = serviceUrl();
const apiUrl = `${hostUrl}/api/v1`;

interface Document {
  path: string;
  groups: SnippetGroup[];
}

const DOCUMENTS: Document[] = [
  { path: "/docs/streaming", groups: Object.values(streamingSnippets(apiUrl)) },
  { path: "/docs/files", groups: Object.values(fileSnippets(apiUrl)) },
  { path: "/docs/templates", groups: Object.values(templateSnippets(apiUrl)) },
  {
    path: "/docs/idempotency-and-errors",
    groups: [...Object.values(reliableCallSnippets(apiUrl)), ...Object.values(listSnippets(apiUrl))],
  },
  { path: "/docs/end-users-and-memory", groups: Object.values(endUserSnippets(apiUrl)) },
  {
    path: "/docs/webhooks",
    groups: [...Object.values(webhookSetupSnippets(hostUrl)), VERIFY_SIGNATURE, VERIFY_FRESHNESS, RECEIVER],
  },
];

test.describe("what the documents show is what is tested", () => {
  for (const { path, groups } of DOCUMENTS) {
    test(path, async ({ page }) => {
      await page.goto(path);
      for (const { label, snippets } of groups) {
        for (const { language, code } of snippets) expect(await shownCode(page, label, language)).toBe(code);
      }
    });
  }
});

/** What the reader sees and copies. */
async function shownCode(page: Page, label: string, language: SnippetLanguage): Promise<string | null> {
  const block = page.getByRole("region", { name: `Code: ${label} in ${language}`, exact: true });
  const tabs = page.getByRole("tab", { name: language, exact: true });
  for (let index = 0; (await block.count()) === 0 && index < (await tabs.count()); index++) {
    await tabs.nth(index).click();
  }
  return block.locator("pre").textContent();
}

test("no comment for a shell has a quote: zsh, into which people paste on macOS, waits for its other half", () => {
  const snippets = DOCUMENTS.flatMap(({ groups }) => groups).flatMap((group) => group.snippets);
  const forShells = snippets.filter(({ language }) => language === "curl" || language === "Shell");
  const comments = forShells.flatMap(({ code }) => code.match(/^\s*#.*$/gm) ?? []);
  expect(comments.filter((comment) => /['"`]/.test(comment))).toEqual([]);
});

/** Of each language that is no script of a shell: its file, and what runs that. */
const PROGRAMS: Partial<Record<SnippetLanguage, [name: string, ...command: string[]]>> = {
  Python: ["main.py", "python3"],
  PHP: ["main.php", "php"],
  Go: ["main.go", "go", "run"],
  Ruby: ["main.rb", "ruby"],
  Java: ["Main.java", "java"],
};

/** Each document's steps in one language, run one after another as a reader would, with nothing but a key. */
test.describe("snippets run as they are pasted:", () => {
  let folder: string;
  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "docs-snippets-"));
  });
  test.afterEach(async () => rm(folder, { recursive: true, force: true }));

  test("streaming by curl", async () => {
    const output = await runDocument("/docs/streaming", "curl");
    expect(output).toContain("event: completed");
    const { url } = JSON.parse(output.split("\n\n").at(-1) ?? "") as { url: string };
    expect(await (await fetch(url)).text(), "by the link, without the key").toContain("event: completed");
  });

  test("streaming in TypeScript", async () => {
    expect(await runDocument("/docs/streaming", "TypeScript")).toMatch(/^true ./);
  });

  for (const language of (["Python", "PHP", "Go", "Ruby"] as const).filter(isInstalled)) {
    test(`streaming in ${language}`, async () => {
      expect(await runDocument("/docs/streaming", language)).toMatch(/^true ./i);
    });
  }

  test("files by curl", async () => {
    const output = await runDocument("/docs/files", "curl");
    expect(output.match(/"status":"started"/g)).toHaveLength(3);
    expect(output).toContain('"status":"resumed"');
  });

  test("files in TypeScript", async () => {
    expect(await runDocument("/docs/files", "TypeScript")).toMatch(/.\ntext\/markdown; ?charset=utf-8 \d+\n202\n$/);
  });

  for (const language of (["PHP", "Java"] as const).filter(isInstalled)) {
    test(`files in ${language}`, async () => {
      expect(await runDocument("/docs/files", language)).toContain("Which item costs more?");
      expect(await readFile(join(folder, "result.md"), "utf8")).toContain("Which item costs more?");
    });
  }

  test("templates by curl", async () => {
    const output = await runDocument("/docs/templates", "curl");
    expect(output).toContain('"status":"started"');
    expect(output).toContain('"name":"summary"');
    expect(output).toMatch(/"version":2.*"version":1/s);
  });

  test("idempotency by curl", async () => {
    const output = await runDocument("/docs/idempotency-and-errors", "curl");
    const ids = output.match(/ses_[0-9a-z]+/g);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(output.match(/^idempotent-replayed: true/gim)).toHaveLength(1);
    expect(output).toContain('"wouldExceed":null');
  });

  test("all that failed is tried again by curl", async () => {
    const { account, api } = await newCaller();
    const failed = async (name: string) => {
      const { sessionId } = await startProcessing(api, textFile(name), { prompt: `${name} [[fail:400:1]]` });
      await api.waitUntilDone(`/process/${sessionId}`);
      return sessionId;
    };
    const ids = [await failed(randomUUID()), await failed(randomUUID())];
    const code = reliableCallSnippets(apiUrl).again.snippets[0]?.code ?? "";
    const options = { env: { ...process.env, API_KEY: account.apiKey }, timeout: PROGRAM_TIMEOUT_MS };
    const { stdout } = await run("bash", ["-ec", code], options);
    expect(stdout.match(/ses_[0-9a-z]+/g)?.sort()).toEqual(ids.sort());
    expect(stdout.match(/"status":"resumed"/g)).toHaveLength(2);
  });

  test("retries and lists in TypeScript", async () => {
    const output = await runDocument("/docs/idempotency-and-errors", "TypeScript");
    expect(output).toMatch(/sessionId: 'ses_/);
    expect(output).toContain("VALIDATION_FAILED: ");
    expect(output).toMatch(/^1 chats$/m);
  });

  test("end users by curl", async () => {
    const output = await runDocument("/docs/end-users-and-memory", "curl");
    expect(output).toContain("customer-42 200\ncustomer-43 404\n");
    expect(output).toContain('"endUserId":"customer-42"');
    expect(output).toContain('"deleted":true');
  });

  test("webhooks by curl", async () => {
    const receiver = await startHttpsReceiver({ certificates: suite.certificates });
    try {
      const output = await runDocument("/docs/webhooks", "curl", { RECEIVER_URL: receiver.url });
      expect(output).toContain('"event":"completion"');
      // The test event, the chat's own event, its callback.
      const requests = await receiver.waitForRequests(3, PROGRAM_TIMEOUT_MS);
      expect(requests.map(({ headers }) => headers["x-service-event"])).toEqual(Array(3).fill("completion"));
    } finally {
      await receiver.close();
    }
  });

  async function runDocument(path: string, language: SnippetLanguage, more: Record<string, string> = {}) {
    const groups = DOCUMENTS.find((document) => document.path === path)?.groups ?? [];
    const snippets = groups.flatMap((group) => group.snippets).filter((snippet) => snippet.language === language);
    expect(snippets.length).toBeGreaterThan(0);
    const program = snippets.map(({ code }) => code).join("\n\n");
    const { account } = await newCaller();
    const env = { ...process.env, FORCE_COLOR: "0", API_KEY: account.apiKey, ...more };
    const options = { cwd: folder, env, timeout: PROGRAM_TIMEOUT_MS };
    const [file = "", ...args] = await commandFor(language, program);
    return (await run(file, args, options)).stdout;
  }

  async function commandFor(language: SnippetLanguage, program: string): Promise<string[]> {
    if (language === "curl") return ["bash", "-ec", program];
    const [name, ...command] = PROGRAMS[language] ?? ["main.mts", process.execPath];
    await writeFile(join(folder, name), program);
    return [...command, name];
  }
});
