import type { Benchmark } from "@/bench/support/benchmark";
import { setStage } from "@/bench/support/stage";
import { apiClient } from "@/e2e/support/api-client";
import { startModelServer } from "@/e2e/support/model-server";
import { createTestAccount } from "@/e2e/support/test-account";
import { checkBooks } from "@/lib/services/credits/check-books";

const CALLS = 500;
const CREDITS = 50;
const KEYS = 100;
const CALLS_PER_KEY = 50;
const KEYS_AT_ONCE = 5;

/**
 * Credits and idempotency keys under calls at once: 500 calls with credit for 50, round after round, and 100 keys sent
 * 50 times each.
 */
export const money: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, { TURN_CONCURRENCY: "8" });
  const rounds = run.isShort ? 2 : 20;
  let exact = 0;
  for (let round = 0; round < rounds; round++) {
    const account = await createTestAccount({ credits: CREDITS, planId: "scale", rateLimitPerMinute: 1_000_000 });
    const api = apiClient(stage.service.url, account.apiKey);
    const answers = await Promise.all(Array.from({ length: CALLS }, () => api.post("/chat", { message: "hi" })));
    const accepted = answers.filter(({ status }) => status === 202).length;
    const refused = answers.filter(({ status }) => status === 402).length;
    if (accepted === CREDITS) exact += 1;
    run.report.mustHold(accepted === CREDITS, `round ${round + 1}: ${accepted} accepted with credit for ${CREDITS}`);
    run.report.mustHold(accepted + refused === CALLS, `round ${round + 1}: some calls were answered otherwise`);
    run.report.mustHold((await stage.drain()) === 0, `round ${round + 1}: turns had not ended`);
    const { problems, balance } = await checkBooks(account.accountId);
    for (const problem of problems) run.report.mustHold(false, `round ${round + 1}: ${problem}`);
    run.report.mustHold(balance === 0, `round ${round + 1}: ${balance} credits are left of ${CREDITS} spent`);
  }
  run.report.figure(`rounds of ${CALLS} calls with exactly ${CREDITS} accepted`, exact, "", { atLeast: rounds });
  await sendKeysAgainAndAgain(run, stage);
};

async function sendKeysAgainAndAgain(run: Parameters<Benchmark>[0], stage: Awaited<ReturnType<typeof setStage>>) {
  const account = await stage.newAccount();
  const api = apiClient(stage.service.url, account.apiKey);
  const keys = run.isShort ? 10 : KEYS;
  const sessions = new Set<string>();
  let calls = 0;
  for (let first = 0; first < keys; first += KEYS_AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: KEYS_AT_ONCE * CALLS_PER_KEY }, (_, index) => {
        const key = `key-${first + (index % KEYS_AT_ONCE)}`;
        return api.post<{ sessionId?: string }>("/chat", { message: key }, { "idempotency-key": key });
      }),
    );
    calls += answers.length;
    for (const { status, body } of answers) {
      if (body.sessionId) sessions.add(body.sessionId);
      run.report.mustHold(status === 202 || status === 409, `a repeated call was answered with ${status}`);
    }
  }
  run.report.figure(`sessions of ${keys} keys in ${calls} calls`, sessions.size, "", { atMost: keys });
  run.report.mustHold(sessions.size === keys, `${keys} keys started ${sessions.size} sessions`);
  run.report.mustHold((await stage.drain()) === 0, "turns had not ended");
  await stage.checkBooks(account);
}
