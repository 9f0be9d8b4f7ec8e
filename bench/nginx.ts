import { createHash } from "node:crypto";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { followStream } from "@/bench/support/nginx/follow-stream";
import { findNginx, type Nginx, startNginx } from "@/bench/support/nginx/start-nginx";
import { median } from "@/bench/support/report";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { type StampingModel, startStampingModel } from "@/bench/support/stamping-model";
import { startChild } from "@/bench/support/start-child";
import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { freePort } from "@/scripts/support/free-port";

const MB = 1024 * 1024;
const TOKENS = 30;
const TOKEN_MS = 100;
const PING_SECONDS = 1;
const HELD_MS = 3_500;
const STREAMS = 5;
const LOG_WAIT_MS = 10_000;
/** More at once than the block lets one address make. */
const BURST = 1_000;
const STRICT_TRANSPORT = "max-age=31536000; includeSubDomains";

interface Stand {
  run: BenchmarkRun;
  stage: BenchStage;
  nginx: Nginx;
  model: StampingModel;
  account: TestAccount;
  ca: string;
}

/** The service behind nginx as the document on operations sets it up: streams, uploads, addresses and downloads pass. */
export const nginx: Benchmark = async (run) => {
  if ((await findNginx()) === null) return run.report.note("SKIPPED: there is no nginx on the PATH.");
  const model = await startStampingModel({ firstTokenMs: "held", tokens: TOKENS, tokenMs: TOKEN_MS });
  run.onEnd(() => model.stop());
  const port = await freePort();
  const stage = await setStage(run, model.baseUrl, {
    APP_URL: `https://localhost:${port}`,
    TRUSTED_PROXY_HOPS: "1",
    STREAM_PING_SECONDS: String(PING_SECONDS),
  });
  const { certificates } = stage;
  const server = await startNginx(run, { port, servicePort: stage.service.port, certificates });
  run.report.note(`nginx ${server.version}, with the block of docs/operations.md.`);
  const stand = { run, stage, nginx: server, model, account: await stage.newAccount(), ca: certificates.caPem };
  await checkStreams(stand);
  await checkAddress(stand);
  await checkUpload(stand);
  const inngest = await call(stand, "/api/inngest", { method: "PUT" });
  run.report.mustHold(inngest.status === 404, `/api/inngest answered ${inngest.status}`);
  for (const { headers } of [inngest, await call(stand, "/api/v1/health", {})])
    run.report.mustHold(headers["strict-transport-security"] === STRICT_TRANSPORT, "HSTS is not the proxy's alone");
  await checkBurst(stand);
  await stage.checkBooks(stand.account);
};

/** What is too much for one address is its own fault, and no outage. */
async function checkBurst(stand: Stand): Promise<void> {
  const calls = Array.from({ length: BURST }, () => call(stand, "/api/v1/health/live", {}));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  const others = new Set(statuses.filter((status) => status !== 200 && status !== 429));
  stand.run.report.figure(
    `of ${BURST} calls at once answered 429`,
    statuses.filter((status) => status === 429).length,
    "",
  );
  stand.run.report.mustHold(others.size === 0, `a burst was answered ${[...others].join(", ")}`);
}

/** Over HTTP/1.1 and HTTP/2: how late the first chunk is, and how evenly others come. */
async function checkStreams(stand: Stand): Promise<void> {
  const { run } = stand;
  const ways = { "HTTP/1.1": false, "HTTP/2": true };
  const parts: number[] = [];
  for (const [name, isHttp2] of Object.entries(ways)) {
    const late: number[] = [];
    const gaps: number[] = [];
    let pings = 0;
    for (let count = 0; count < (run.isShort ? 1 : STREAMS); count++) {
      const followed = await followHeld(stand, isHttp2);
      late.push(followed.reader.firstChunkAt - Number(/\d+\.\d+/.exec(followed.reader.text)?.[0]));
      const chunks = followed.arrivals.filter((at) => at >= followed.reader.firstChunkAt);
      gaps.push(...chunks.slice(1).map((at, index) => at - (chunks[index] ?? 0)));
      parts.push(chunks.length);
      pings += followed.pings;
      run.report.mustHold(followed.reader.output === followed.reader.text, `a stream over ${name} is not whole`);
    }
    run.report.figure(`first chunk after the model's first token, ${name}`, median(late), "ms");
    run.report.figure(`longest silence between chunks ${TOKEN_MS} ms apart, ${name}`, Math.max(...gaps), "ms");
    run.report.figure(`pings in ${HELD_MS / 1_000} s of silence each, ${name}`, pings, "");
    run.report.mustHold(pings > 0, `no ping came over ${name}`);
  }
  run.report.figure(`parts in which ${TOKENS} tokens came, fewest`, Math.min(...parts), "");
  run.report.mustHold(Math.min(...parts) >= TOKENS / 3, "chunks are held back and come together");
  run.report.mustHold(await haveHeadersComeFirst(stand), "a stream's headers do not come before its first event");
}

/** Whether headers come while the model is still silent: nothing waits for a full buffer. */
async function haveHeadersComeFirst(stand: Stand): Promise<boolean> {
  const sessionId = await startSession(stand);
  const url = new URL(`/api/v1/chat/${sessionId}/stream`, stand.nginx.url);
  const hasHeaders = await new Promise<boolean>((resolve) => {
    const request = httpsRequest(url, { ca: stand.ca, agent: false, headers: key(stand) }, (response) => {
      resolve(response.statusCode === 200);
      response.destroy();
    });
    request.on("error", () => resolve(false)).end();
  });
  stand.model.open();
  await stand.stage.drain();
  return hasHeaders;
}

const key = ({ account }: Stand) => ({ "x-api-key": account.apiKey });

async function startSession(stand: Stand): Promise<string> {
  const { body } = await call(stand, "/api/v1/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "Count." }),
  });
  const { sessionId } = JSON.parse(body.toString()) as { sessionId: string };
  for (let waitedMs = 0; stand.model.waiting() === 0 && waitedMs < LOG_WAIT_MS; waitedMs += 20) await delay(20);
  return sessionId;
}

async function followHeld(stand: Stand, isHttp2: boolean) {
  const sessionId = await startSession(stand);
  const url = new URL(`/api/v1/chat/${sessionId}/stream`, stand.nginx.url);
  const following = followStream(url, key(stand), { ca: stand.ca, isHttp2 });
  await delay(HELD_MS);
  stand.model.open();
  return following;
}

/** What the call log says of a client at 127.0.0.2 that claims to be somebody else. */
async function checkAddress(stand: Stand): Promise<void> {
  const answer = await call(stand, "/api/v1/account", {
    headers: { "x-forwarded-for": "203.0.113.9" },
    ...(process.platform === "linux" && { localAddress: "127.0.0.2" }),
  });
  const requestId = answer.headers["x-request-id"];
  const ip = await logged(String(requestId));
  const own = process.platform === "linux" ? "127.0.0.2" : "127.0.0.1";
  stand.run.report.mustHold(ip === own, `the call of ${own} is logged as of ${ip}`);
  stand.run.report.note(`A call from ${own} that claimed to be 203.0.113.9 is logged as of ${ip}.`);
}

async function logged(requestId: string): Promise<string | undefined> {
  for (let waitedMs = 0; waitedMs < LOG_WAIT_MS; waitedMs += 100) {
    const { rows } = await db().query<{ ip: string }>("SELECT ip FROM call_logs WHERE request_id = $1", [requestId]);
    if (rows[0]) return rows[0].ip;
    await delay(100);
  }
  return undefined;
}

/** A large file up and down again, whole and in part; nginx keeps nothing of it. */
async function checkUpload(stand: Stand): Promise<void> {
  const { run, nginx: server, account, stage, ca } = stand;
  const load = startChild();
  run.onEnd(() => load.stop());
  const bytes = (run.isShort ? 100 : 500) * MB;
  const before = await server.writtenBytes();
  const sent = await load.call("sendUploads", {
    url: `${server.url}/api/v1/process`,
    apiKey: account.apiKey,
    bytes,
    count: 1,
    ca,
  });
  const after = await server.writtenBytes();
  run.report.mustHold(sent.statuses[0] === 202, `the upload was answered ${sent.statuses[0]}: ${sent.bodies[0]}`);
  for (let waitedMs = 0; stand.model.waiting() === 0 && waitedMs < LOG_WAIT_MS; waitedMs += 20) await delay(20);
  stand.model.open();
  await stage.drain();
  run.report.figure(`POST /process of ${bytes / MB} MB through nginx`, bytes / MB / sent.seconds, "MB/s");
  if (before === null || after === null) run.report.note("This system does not tell what a process writes.");
  else {
    run.report.figure("of it written to disk by nginx", (after - before) / MB, "MB", { atMost: 1 });
    run.report.mustHold(after - before < MB, `nginx wrote ${after - before} bytes of the upload to its disk`);
  }
  const { fileUrl } = JSON.parse(sent.bodies[0] ?? "{}") as { fileUrl: string };
  const path = new URL(fileUrl).pathname;
  const startedAt = performance.now();
  const whole = await call(stand, path, {});
  run.report.figure("the same file down again", bytes / MB / ((performance.now() - startedAt) / 1_000), "MB/s");
  run.report.mustHold(fileUrl.startsWith(server.url), `the file's address is ${fileUrl}`);
  run.report.mustHold(
    createHash("sha256").update(whole.body).digest("hex") === sent.sha256,
    "the file came back otherwise",
  );
  const part = await call(stand, path, { headers: { range: `bytes=${bytes - 1_000}-` } });
  const isPart = part.status === 206 && part.body.equals(whole.body.subarray(-1_000));
  run.report.mustHold(isPart, `a range was answered ${part.status} with ${part.body.length} bytes`);
}

async function call({ nginx: { url }, account, ca }: Stand, path: string, options: RequestOptions & { body?: string }) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    const headers = { "x-api-key": account.apiKey, ...options.headers };
    const request = httpsRequest(new URL(path, url), { ...options, ca, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on("error", reject).end(options.body);
  });
}
