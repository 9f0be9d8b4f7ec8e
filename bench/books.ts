import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { setStage } from "@/bench/support/stage";
import { runMixedJobs } from "@/e2e/support/mixed-jobs";
import { startModelServer } from "@/e2e/support/model-server";
import { startChatEndpoint } from "@/lib/contracts/chat";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import type { Exchange } from "@/lib/http/exchange";
import { logExchange } from "@/lib/http/log-exchange";
import { jsonResponse } from "@/lib/http/respond";
import { callLog } from "@/lib/services/call-log/call-log-buffer";
import { checkBooks } from "@/lib/services/credits/check-books";

const ACCOUNTS = 5;
const LOGGED_CALLS = 20_000;

/**
 * A thousand mixed jobs of several accounts: completed, retried, failed, canceled, cut off, in batches and with files.
 * Afterwards the books of each account must agree, and every call must be in the call log. Also what logging a call costs.
 */
export const books: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => stage.newAccount()));
  const startedAt = performance.now();
  const apiKeys = accounts.map(({ apiKey }) => apiKey);
  const mixed = await runMixedJobs(stage.service.url, apiKeys, run.isShort ? 100 : 1_000);
  const seconds = (performance.now() - startedAt) / 1_000;
  run.report.figure("turns of mixed jobs", mixed.turns, "turns");
  run.report.figure("until all had ended", seconds, "s");
  run.report.note(`Sessions ended: ${JSON.stringify(mixed.statuses)}`);
  const open = await stage.drain();
  run.report.mustHold(open === 0, `${open} turns had not ended`);
  for (const account of accounts) {
    await stage.checkBooks(account);
    const { problems, reserved } = await checkBooks(account.accountId);
    for (const problem of problems) run.report.mustHold(false, problem);
    run.report.mustHold(reserved === 0, `${reserved} credits are still reserved`);
  }
  await checkCallLog(run, mixed.turns);
  await measureLogging(run);
};

/** Each turn was started by a call that is in the log; a batch's call started several. */
async function checkCallLog(run: BenchmarkRun, turns: number): Promise<void> {
  const { rows } = await db().query<{ logged: number }>(
    `SELECT count(*) AS logged FROM turns t
     WHERE EXISTS (SELECT 1 FROM call_logs c WHERE c.request_id = t.request_id AND c.status = 202)`,
  );
  const logged = rows[0]?.logged ?? 0;
  run.report.mustHold(logged === turns, `${turns} turns were started, ${logged} of them by a call in the log`);
}

/** The whole price of logging in this process: making the row, taking it, and its share of the write. */
async function measureLogging(run: BenchmarkRun): Promise<void> {
  const exchanges = Array.from({ length: LOGGED_CALLS }, makeExchange);
  const responses = exchanges.map(({ result }) => jsonResponse(202, result));
  const before = process.cpuUsage();
  const startedAt = performance.now();
  for (const [index, exchange] of exchanges.entries()) logExchange(exchange, responses[index] as Response, undefined);
  const addedMs = performance.now() - startedAt;
  await callLog().stop(60_000);
  const { user, system } = process.cpuUsage(before);
  const { rows } = await db().query<{ written: number }>(
    "SELECT count(*) AS written FROM call_logs WHERE account_id = $1",
    [CALLER.accountId],
  );
  run.report.figure("added to a call by logging it", addedMs / LOGGED_CALLS, "ms", { atMost: 0.2 });
  run.report.figure("processor time of a row, with its write", (user + system) / 1_000 / LOGGED_CALLS, "ms", {
    atMost: 0.2,
  });
  run.report.figure("rows written", LOGGED_CALLS / ((performance.now() - startedAt) / 1_000), "/s");
  run.report.mustHold(rows[0]?.written === LOGGED_CALLS, `${rows[0]?.written} of ${LOGGED_CALLS} rows were written`);
}

const CALLER = { accountId: "acc_bench", projectId: "prj_bench", apiKeyId: "key_bench" };

/** A call as the endpoint wrapper knows it when it has been answered. */
function makeExchange(): Exchange {
  const body = { message: "What is a webhook?", endUserId: "customer-42", templateVars: { tone: "formal" } };
  const headers = {
    "content-type": "application/json",
    "content-length": "120",
    "user-agent": "client/1.0 (Linux) node",
  };
  return {
    requestId: newId("request"),
    definition: startChatEndpoint,
    request: new Request("https://api.example/api/v1/chat?dryRun=false", { method: "POST", headers }),
    clientIp: "203.0.113.7",
    startedAtMs: performance.now(),
    caller: CALLER,
    params: {},
    query: { dryRun: false },
    body,
    files: [],
    result: { sessionId: newId("session"), status: "started", callbackUrl: null },
  };
}
