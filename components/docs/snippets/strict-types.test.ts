import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fileSnippets } from "@/components/docs/snippets/files";
import { listSnippets } from "@/components/docs/snippets/lists";
import { reliableCallSnippets } from "@/components/docs/snippets/reliable-calls";
import type { SnippetGroup } from "@/components/docs/snippets/snippet";
import { streamingSnippets } from "@/components/docs/snippets/streaming";
import { VERIFY_FRESHNESS } from "@/components/docs/snippets/webhook-freshness";
import { RECEIVER } from "@/components/docs/snippets/webhook-receiver";
import { VERIFY_SIGNATURE } from "@/components/docs/snippets/webhook-signature";
import { quickStarts } from "@/components/home/quick-start-steps";

const run = promisify(execFile);
/** A compiler that starts: on a busy machine it takes its time. */
const COMPILE_TIMEOUT_MS = 120_000;
const API_URL = "https://api.example.com/api/v1";

/** The groups whose steps stand in files of one folder. */
const DOCUMENTS: Record<string, SnippetGroup[]> = {
  streaming: Object.values(streamingSnippets(API_URL)),
  files: Object.values(fileSnippets(API_URL)),
  calls: [...Object.values(reliableCallSnippets(API_URL)), ...Object.values(listSnippets(API_URL))],
  webhooks: [VERIFY_SIGNATURE, VERIFY_FRESHNESS, RECEIVER],
};

/** As strict as a compiler that is asked for everything. */
const STRICT = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
  typeRoots: [join(process.cwd(), "node_modules/@types")],
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strict-types-"));
  for (const [name, groups] of Object.entries(DOCUMENTS)) await writeFiles(name, filesOf(groups));
  const steps = quickStarts(API_URL, false).find(({ codeLanguage }) => codeLanguage === "typescript")?.steps ?? [];
  await writeFiles("quick-start", new Map([["quick-start.mts", steps.map(({ code }) => code)]]));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** By file, its parts: a title begins with the name of the file, whose steps come one after another. */
function filesOf(groups: SnippetGroup[]): Map<string, string[]> {
  const snippets = groups.flatMap((group) => group.snippets).filter(({ language }) => language === "TypeScript");
  const files = new Map<string, string[]>();
  for (const { title, code } of snippets) {
    const file = /^[\w-]+\.mts/.exec(title)?.[0] ?? "";
    files.set(file, [...(files.get(file) ?? []), code]);
  }
  return files;
}

async function writeFiles(name: string, files: Map<string, string[]>): Promise<void> {
  await mkdir(join(folder, name));
  for (const [file, parts] of files) await writeFile(join(folder, name, file), parts.join("\n\n"));
}

/** What a compiler says of all of them. */
async function complaints(lib: string[]): Promise<string> {
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...STRICT, lib } }));
  const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
  return run(process.execPath, [tsc, "-p", "."], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

// Node's own types say of what `json()` gives that it is unknown; those of browsers say nothing.
it.each([
  ["Node alone", ["es2024"]],
  ["browsers too", ["es2024", "dom", "dom.iterable"]],
])("a strict compiler takes what is shown, with the types of %s", { timeout: COMPILE_TIMEOUT_MS }, async (_of, lib) => {
  expect(await complaints(lib)).toBe("");
});
