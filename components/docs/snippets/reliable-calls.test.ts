import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import { reliableCallSnippets } from "@/components/docs/snippets/reliable-calls";
import { runAgainst } from "@/e2e/support/run-against";

const JSON_AT_ONCE = { "Content-Type": "application/json", "Retry-After": "0" };
const ACCEPTED = '{"sessionId":"ses_1"}';

/** What comes back to the tries of the first call, and to the one of the second. */
const ANSWERS: RequestListener[] = [
  (_request, response) => response.destroy(),
  (_request, response) => {
    response.writeHead(202, { ...JSON_AT_ONCE, "Content-Length": ACCEPTED.length });
    response.write(ACCEPTED.slice(0, 5), () => response.destroy());
  },
  (_request, response) => response.writeHead(502, JSON_AT_ONCE).end('{"message":"Bad gateway"}'),
  (_request, response) => response.writeHead(503, JSON_AT_ONCE).end('{"error":"no server"}'),
  (_request, response) => response.writeHead(202, JSON_AT_ONCE).end(ACCEPTED),
  (_request, response) =>
    response
      .writeHead(400, JSON_AT_ONCE)
      .end('{"error":{"code":"VALIDATION_FAILED","message":"No.","retryable":false}}'),
];

it("repeats a call under one key until its answer is there whole, whatever breaks or speaks on the way", async () => {
  const codeFor = (url: string) => reliableCallSnippets(url).retry.snippets[0]?.code ?? "";
  const { stdout, calls } = await runAgainst(ANSWERS, codeFor);
  expect(stdout).toBe("{ sessionId: 'ses_1' }\nVALIDATION_FAILED: No.\n");
  expect(calls).toHaveLength(ANSWERS.length);
  expect(new Set(calls.slice(0, -1).map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

it("waits its own pause when a proxy asks to come again at a date", async () => {
  const at: number[] = [];
  const answers = ANSWERS.slice(-2).map((answer): RequestListener => {
    return (request, response) => {
      at.push(performance.now());
      answer(request, response);
    };
  });
  const away: RequestListener = (_request, response) => {
    at.push(performance.now());
    response.writeHead(503, { "Retry-After": new Date(0).toUTCString() }).end("<html>Maintenance</html>");
  };
  await runAgainst([away, ...answers], (url) => reliableCallSnippets(url).retry.snippets[0]?.code ?? "");
  const [first = 0, second = 0] = at;
  expect(second - first).toBeGreaterThan(900);
});
