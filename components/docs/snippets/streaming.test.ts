import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import { streamingSnippets } from "@/components/docs/snippets/streaming";
import { runAgainst } from "@/e2e/support/run-against";

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
