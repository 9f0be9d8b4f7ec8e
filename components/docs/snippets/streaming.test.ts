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

it("takes a stream up where it broke off, also while the service starts anew", async () => {
  const codeFor = (url: string) =>
    streamingSnippets(url).follow.snippets.find(({ language }) => language === "TypeScript")?.code ?? "";
  const { stdout, calls } = await runAgainst(ANSWERS, codeFor);
  expect(stdout).toBe("true Once more.\n");
  expect(calls.slice(1).map(({ url }) => url?.split("after=")[1])).toEqual(["0", "1", "1"]);
});

/** Breaks off before an event's data, and in the middle of it: neither is read as a whole one. */
const BROKEN_OFF: RequestListener[] = [
  (_request, response) => response.writeHead(202).end('{"sessionId":"ses_1"}'),
  (_request, response) =>
    response.writeHead(200).write(`${chunk(1, "Once")}id: 2\nevent: chunk\n`, () => response.destroy()),
  (_request, response) =>
    response.writeHead(200).write('id: 2\nevent: chunk\ndata: {"delta":"\xc3', "latin1", () => response.destroy()),
  (_request, response) => response.writeHead(200).end(chunk(2, " more.") + END),
];

const PROGRAMS: [language: SnippetLanguage, Program, says: string][] = [
  ["Python", { file: "snippet.py", command: "python3" }, "True"],
  ["PHP", { file: "snippet.php", command: "php" }, "true"],
  ["Go", { file: "snippet.go", command: "go", args: ["run"] }, "true"],
  ["Ruby", { file: "snippet.rb", command: "ruby" }, "true"],
];

for (const [language, program, says] of PROGRAMS.filter(([name]) => isInstalled(name))) {
  it.each([
    ["where it broke off", BROKEN_OFF],
    ["while the service starts anew", ANSWERS],
  ])(`takes a stream up %s in ${language} too`, { timeout: RUN_TIMEOUT_MS }, async (_where, answers) => {
    const codeFor = (url: string) =>
      streamingSnippets(url).follow.snippets.find((snippet) => snippet.language === language)?.code ?? "";
    const { stdout, calls } = await runAgainst(answers, codeFor, program);
    expect(stdout).toBe(`${says} Once more.\n`);
    expect(calls.slice(1).map(({ url }) => url?.split("after=")[1])).toEqual(["0", "1", "1"]);
  });
}
