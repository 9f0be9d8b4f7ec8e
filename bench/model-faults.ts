import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { seededRandom } from "@/bench/support/random";
import { setStage } from "@/bench/support/stage";
import { apiClient } from "@/e2e/support/api-client";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";

const JOBS = 600;
const SHORT_JOBS = 70;
const POSTS_AT_ONCE = 8;
const DRAIN_MS = 300_000;
const RETRY_AFTER_SECONDS = 2;

/** What the model does to a job, as an order to it, and what must come of the job. */
const FAULTS: readonly [order: string, outcome: "completed" | readonly string[]][] = [
  ["", "completed"],
  ["[[fail:500:2]]", "completed"],
  [`[[fail:429:1:${RETRY_AFTER_SECONDS}]]`, "completed"],
  ["[[reset:2]]", "completed"],
  ["[[break:1]]", "completed"],
  ["[[end:1]]", "completed"],
  ["[[malformed:2]]", "completed"],
  ["[[stream-error:1]]", "completed"],
  ["[[hang:1]]", "completed"],
  ["[[stall:1]]", "completed"],
  ["[[linger]]", "completed"],
  ["[[fail:500]]", ["MODEL_UNAVAILABLE"]],
  ["[[fail:429:9:1]]", ["MODEL_RATE_LIMITED"]],
  ["[[quota]]", ["MODEL_RATE_LIMITED", "MODEL_UNAVAILABLE"]],
  ["[[fail:400]]", ["MODEL_REJECTED"]],
  ["[[reset]]", ["MODEL_UNAVAILABLE"]],
  ["[[break]]", ["MODEL_UNAVAILABLE"]],
  ["[[malformed]]", ["MODEL_UNAVAILABLE"]],
  ["[[stream-error]]", ["MODEL_UNAVAILABLE"]],
  ["[[hang]]", ["MODEL_TIMEOUT"]],
  ["[[stall]]", ["MODEL_TIMEOUT"]],
  ["[[keep-alive]]", ["MODEL_TIMEOUT"]],
];

interface Started {
  sessionId: string;
  fault: (typeof FAULTS)[number];
}

interface EndedRow {
  sessionId: string;
  status: string;
  errorCode: string | null;
  errorMessage: string | null;
  creditsUsed: number;
  charges: number;
}

/**
 * A model that refuses, limits, breaks off, talks nonsense or says nothing, once, twice or always: every job ends, completed
 * after retries or failed with a code that says why, and what failed costs nothing.
 */
export const modelFaults: Benchmark = async (run) => {
  const model = await startModelServer();
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, {
    MODEL_RETRY_DELAYS_SECONDS: "1,1,1",
    MODEL_IDLE_TIMEOUT_SECONDS: "2",
    MODEL_TIMEOUT_SECONDS: "6",
  });
  const account = await stage.newAccount();
  const seed = run.option("seed", Date.now() % 1_000_000);
  const started = await startJobs(run, stage.service.url, account, seededRandom(seed));
  const open = await stage.drain(DRAIN_MS);
  run.report.mustHold(open === 0, `${open} of ${started.length} jobs had not ended after ${DRAIN_MS / 1_000} s`);
  await checkEach(run, started);
  checkRetryAfter(run, model);
  const books = await stage.checkBooks(account);
  run.report.mustHold(books.reserved === 0, `${books.reserved} credits are still reserved`);
  run.report.note(`Seed ${seed}; ${FAULTS.length} ways of the model, ${started.length} jobs.`);
};

async function startJobs(
  run: BenchmarkRun,
  url: string,
  { apiKey }: TestAccount,
  random: () => number,
): Promise<Started[]> {
  const api = apiClient(url, apiKey);
  const drawn = Array.from({ length: run.option("jobs", run.isShort ? SHORT_JOBS : JOBS) }, (_, index) => ({
    // Each way as often as any other; how much the model says is drawn.
    fault: FAULTS[index % FAULTS.length] as Started["fault"],
    text: `Job ${index} [[size:${60 + Math.floor(random() * 900)}]] [[chunk:${5 + Math.floor(random() * 40)}]]`,
  }));
  const started: Started[] = [];
  await Promise.all(
    Array.from({ length: POSTS_AT_ONCE }, async () => {
      for (let job = drawn.pop(); job !== undefined; job = drawn.pop()) {
        const { status, body } = await api.post<{ sessionId: string }>("/chat", {
          message: `${job.text} ${job.fault[0]}`,
        });
        run.report.mustHold(status === 202, `POST /chat answered ${status}`);
        started.push({ sessionId: body.sessionId, fault: job.fault });
      }
    }),
  );
  return started;
}

async function checkEach({ report }: BenchmarkRun, started: Started[]): Promise<void> {
  const { rows } = await db().query<EndedRow>(
    `SELECT t.session_id AS "sessionId", t.status, t.error_code AS "errorCode", t.error_message AS "errorMessage",
            t.credits_used AS "creditsUsed",
            (SELECT count(*)::int FROM ledger_entries l WHERE l.turn_id = t.id AND l.kind = 'charge') AS charges
     FROM turns t WHERE t.session_id = ANY($1)`,
    [started.map(({ sessionId }) => sessionId)],
  );
  const ended = new Map(rows.map((row) => [row.sessionId, row]));
  let [otherwise, charged] = [0, 0];
  for (const { sessionId, fault } of started) {
    const [order, outcome] = fault;
    const row = ended.get(sessionId);
    const isRight =
      outcome === "completed"
        ? row?.status === "completed" && row.charges === 1
        : row?.status === "failed" && outcome.includes(row.errorCode ?? "") && Boolean(row.errorMessage);
    const isFree = row?.status === "completed" || (row?.charges === 0 && row.creditsUsed === 0);
    if (!isRight) otherwise += 1;
    if (!isFree) charged += 1;
    report.mustHold(isRight && isFree, `"${order}" came to ${JSON.stringify(row)}`);
  }
  const none = { atMost: 0 };
  report.figure("jobs", started.length, "");
  report.figure("completed", rows.filter(({ status }) => status === "completed").length, "");
  for (const [code, group] of Map.groupBy(rows, ({ errorCode }) => errorCode)) {
    if (code !== null) report.figure(`failed with ${code}`, group.length, "");
  }
  report.figure("ended otherwise than they should", otherwise, "", none);
  report.figure("failed and charged", charged, "", none);
}

/** The second request of each job that was told to wait came no sooner than it was told. */
function checkRetryAfter({ report }: BenchmarkRun, { journal }: ModelServer): void {
  const told = journal.filter(({ lastUserText }) => lastUserText.includes(`[[fail:429:1:${RETRY_AFTER_SECONDS}]]`));
  const waits = [...Map.groupBy(told, ({ lastUserText }) => lastUserText).values()].map(
    ([first, second]) => Number(second?.at) - Number(first?.at),
  );
  const shortest = Math.min(...waits);
  report.figure(`shortest wait after a Retry-After of ${RETRY_AFTER_SECONDS} s`, shortest / 1_000, "s");
  report.mustHold(shortest >= RETRY_AFTER_SECONDS * 1_000 - 50, `a retry came ${shortest} ms after its Retry-After`);
}
