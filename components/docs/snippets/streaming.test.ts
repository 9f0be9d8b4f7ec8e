import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import type { SnippetLanguage } from "@/components/docs/snippets/snippet";
import { streamingSnippets } from "@/components/docs/snippets/streaming";
import { type Program, runAgainst } from "@/e2e/support/run-against";
import { isInstalled } from "@/e2e/support/run-verification";

/** A compiler on a busy machine takes its time. */
const RUN_TIMEOUT_MS = 60_000;

const chunk = (id: number, delta: string) => `id: ${id}\nevent: chunk\ndata: {"delta":"${delta}"}\n\n`;
const END = 'id: 3\nevent: completed\ndata: {"output":"Once more."}\n\n';

/** What comes back to the call that sends the message, and to each try to follow its answer. */
const ANSWERS: RequestListener[] = [
  (_request, response) => response.writeHead(202).end('{"sessionId":"ses_1"}'),
  (_request, response) => response.writeHead(200).write(chunk(1, "Once"), () => response.destroy()),
  (_request, response) => response.writeHead(502).end("<html>\n\nevent: error\n\nBad Gateway</html>"),
  (_request, response) => response.writeHead(200).end(chunk(2, " more.") + END),
];

/** Breaks off before an event's data, and in the middle of it: neither is read as a whole one. */
const BROKEN_OFF: RequestListener[] = [
  (_request, response) => response.writeHead(202).end('{"sessionId":"ses_1"}'),
  (_request, response) =>
    response.writeHead(200).write(`${chunk(1, "Once")}id: 2\nevent: chunk\n`, () => response.destroy()),
  (_request, response) =>
    response.writeHead(200).write('id: 2\nevent: chunk\ndata: {"delta":"\xc3', "latin1", () => response.destroy()),
  (_request, response) => response.writeHead(200).end(chunk(2, " more.") + END),
];

/** A server that does not answer, and a line that goes silent behind an event: neither says that it is over. */
const SILENT: RequestListener[] = [
  (_request, response) => response.writeHead(202).end('{"sessionId":"ses_1"}'),
  (_request, response) => response.writeHead(200).write(chunk(1, "Once")),
  () => {},
  (_request, response) => response.writeHead(200).end(chunk(2, " more.") + END),
];

/** Bounds of silence that a test would wait for too long, and what it has in their place. */
const SHORTER: Partial<Record<SnippetLanguage, [as: string, shortened: string][]>> = {
  TypeScript: [["timeout(120_000)", "timeout(1_000)"]],
  Python: [["timeout=60", "timeout=1"]],
  PHP: [["LOW_SPEED_TIME => 60", "LOW_SPEED_TIME => 1"]],
  Go: [["time.Minute", "time.Second"]],
  Ruby: [["read_timeout: 60", "read_timeout: 1"]],
};

function impatient(language: SnippetLanguage, code: string): string {
  return (SHORTER[language] ?? []).reduce((text, [as, shortened]) => {
    if (!text.includes(as)) throw new Error(`${as} is not in the ${language} program.`);
    return text.replaceAll(as, shortened);
  }, code);
}

const PROGRAMS: [language: SnippetLanguage, Program, says: string][] = [
  ["TypeScript", { file: "snippet.mts", command: process.execPath }, "true"],
  ["Python", { file: "snippet.py", command: "python3" }, "True"],
  ["PHP", { file: "snippet.php", command: "php" }, "true"],
  ["Go", { file: "snippet.go", command: "go", args: ["run"] }, "true"],
  ["Ruby", { file: "snippet.rb", command: "ruby" }, "true"],
];

for (const [language, program, says] of PROGRAMS.filter(([name]) => isInstalled(name))) {
  it.each([
    ["where it broke off", BROKEN_OFF],
    ["while the service starts anew", ANSWERS],
    ["where its line went silent", SILENT],
  ])(`takes a stream up %s in ${language}`, { timeout: RUN_TIMEOUT_MS }, async (_where, answers) => {
    const codeFor = (url: string) =>
      impatient(
        language,
        streamingSnippets(url).follow.snippets.find((snippet) => snippet.language === language)?.code ?? "",
      );
    const { stdout, calls } = await runAgainst(answers, codeFor, program);
    expect(stdout).toBe(`${says} Once more.\n`);
    expect(calls.slice(1).map(({ url }) => url?.split("after=")[1])).toEqual(["0", "1", "1"]);
  });
}
