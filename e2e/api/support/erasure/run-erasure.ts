import { setTimeout as delay } from "node:timers/promises";
import { checkGone, checkKept, checkOverApi } from "@/e2e/api/support/erasure/check-erasure";
import { ACTS, type Act, type BusyUser, OPEN_ACTS, readWithoutName } from "@/e2e/api/support/erasure/end-user-acts";
import { type ErasureSize, makeUsers } from "@/e2e/api/support/erasure/make-users";
import { countRows, sum, tracesOf } from "@/e2e/api/support/erasure/traces";
import { countOpenTurns, untilLogged, untilQuiet } from "@/e2e/api/support/erasure/waits";
import { startHttpsReceiver } from "@/e2e/support/https-receiver";
import { suite } from "@/e2e/support/suite";
import { db } from "@/lib/db/pool";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { checkBooks } from "@/lib/services/credits/check-books";
import { getDataRequest } from "@/lib/services/data-rights/list-data-requests";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";
import { requestErasure } from "@/lib/services/data-rights/request-end-user-data";

export interface ErasureOptions extends ErasureSize {
  /** Runs the second pass, which comes minutes later, for those who do not wait. Absent: its time is waited for. */
  finish?: (dataRequestId: string) => Promise<void>;
  /** What the server wrote to its log so far. */
  log?: () => string;
}

export interface ErasureResult {
  endUsers: number;
  erased: number;
  acts: number;
  /** Turns that were open when the first was erased. */
  openTurns: number;
  /** Tables that held something of those who were to be erased; rows and files that did. */
  tables: string[];
  rows: number;
  files: number;
  /** Tables of the list of personal data in which nothing of an end user stood. */
  untouched: string[];
  left: { rows: number; files: number; logLines: number };
  kept: { rows: number; files: number };
  secondsToFirstPass: number;
  seconds: number;
  violations: string[];
}

const FIRST_PASS_MS = 90_000;
const ALL_PASSES_MS = 300_000;
const POLL_MS = 500;

/**
 * End users of several projects do everything that leaves something of them behind, in random order; while the last of it
 * is under way half of them are erased, several at once. Afterwards no word of theirs is in any table, file or line of the
 * log, and every row and file of the others is where it was.
 */
export async function runErasure(random: () => number, options: ErasureOptions): Promise<ErasureResult> {
  const receiver = await startHttpsReceiver({
    certificates: suite.certificates,
    behaviour: ({ path, body }) => ({
      kind: "ok",
      status: path.endsWith("fail") ? 500 : 200,
      body: `${path} ${body}`,
      headers: { "x-echo": path },
    }),
  });
  try {
    return await new ErasureRun(random, options).run(receiver.url);
  } finally {
    await receiver.close();
  }
}

class ErasureRun {
  readonly #violations: string[] = [];
  #acts = 0;

  constructor(
    private readonly random: () => number,
    private readonly options: ErasureOptions,
  ) {}

  async run(receiverUrl: string): Promise<ErasureResult> {
    const users = await makeUsers(this.options, () => `canary${this.#digits(16)}`, receiverUrl);
    await Promise.all(users.map((user) => this.#act(user, this.#shuffled(Object.values(ACTS)))));
    await untilQuiet(users.map(({ account }) => account.projectId));
    const open = Object.values(OPEN_ACTS);
    await Promise.all(
      users.map((user) => this.#act(user, this.#shuffled(open).slice(0, 1 + Math.floor(this.random() * open.length)))),
    );
    const mixed = this.#shuffled(users);
    const gone = mixed.slice(0, Math.floor(mixed.length / 2));
    const stay = mixed.slice(gone.length);
    const before = await tracesOf(users);
    const openTurns = await countOpenTurns();
    const startedAt = Date.now();
    const requests = await this.#eraseAll(gone);
    await this.#untilFirstPass(gone);
    const secondsToFirstPass = (Date.now() - startedAt) / 1_000;
    await this.#untilFinished(requests);
    const seconds = (Date.now() - startedAt) / 1_000;
    const after = await tracesOf(users);
    const left = checkGone(gone, after, this.options.log?.() ?? "", this.#violations);
    const kept = checkKept(stay, before, after, this.#violations);
    await checkOverApi(gone, stay, this.#violations);
    for (const accountId of new Set(users.map(({ account }) => account.accountId))) {
      for (const problem of (await checkBooks(accountId)).problems) this.#violations.push(problem);
    }
    const tables = new Set(gone.flatMap(({ canary }) => [...(before.get(canary)?.rows.keys() ?? [])]));
    const ofGone = gone.map(({ canary }) => before.get(canary));
    return {
      endUsers: users.length,
      erased: gone.length,
      acts: this.#acts,
      openTurns,
      tables: [...tables].sort(),
      rows: sum(ofGone.map((traces) => countRows(traces))),
      files: sum(ofGone.map((traces) => traces?.files.length ?? 0)),
      untouched: PERSONAL_DATA.filter(({ table, ofEndUser }) => ofEndUser && !tables.has(table)).map(
        ({ table }) => table,
      ),
      left,
      kept,
      secondsToFirstPass,
      seconds,
      violations: this.#violations,
    };
  }

  async #act(user: BusyUser, acts: Act[]): Promise<void> {
    for (const act of acts) {
      await act(user);
      this.#acts += 1;
    }
  }

  /** All at about the same time, while each of their sessions is read until it is gone, by calls that do not name them. */
  async #eraseAll(gone: BusyUser[]): Promise<{ user: BusyUser; id: string }[]> {
    const waits = gone.map(() => this.random() * 1_000);
    return Promise.all(
      gone.map(async (user, index) => {
        await delay(waits[index]);
        const input = { endUserId: user.endUserId, confirmation: user.endUserId };
        const { id } = await requestErasure(OPERATOR, user.account, input);
        for (const sessionId of user.sessionIds) while (await readWithoutName(user, sessionId));
        return { user, id };
      }),
    );
  }

  /** Nothing but the receipts, which say whom they are about until the second pass, and what came in late. */
  async #untilFirstPass(gone: BusyUser[]): Promise<void> {
    const deadline = Date.now() + FIRST_PASS_MS;
    for (;;) {
      const { rows } = await db().query<{ left: number }>(
        "SELECT count(*)::int AS left FROM end_users WHERE end_user_id = ANY ($1)",
        [gone.map(({ endUserId }) => endUserId)],
      );
      if (rows[0]?.left === 0) return;
      if (Date.now() > deadline) {
        this.#violations.push(`${rows[0]?.left} end users were still there after ${FIRST_PASS_MS / 1_000} s`);
        return;
      }
      await delay(POLL_MS);
    }
  }

  async #untilFinished(requests: { user: BusyUser; id: string }[]): Promise<void> {
    const { finish } = this.options;
    if (finish) {
      // As long as calls are kept back before they are logged.
      await untilLogged(requests.map(({ user }) => user.account.projectId));
      for (const { id } of requests) await finish(id);
    }
    const deadline = Date.now() + ALL_PASSES_MS;
    for (const { user, id } of requests) {
      for (;;) {
        const { state } = await getDataRequest(user.account, id);
        if (state === "completed") break;
        if (state === "failed" || Date.now() > deadline) {
          this.#violations.push(`an erasure is ${state}`);
          break;
        }
        await delay(POLL_MS);
      }
    }
  }

  #digits(count: number): string {
    return Array.from({ length: count }, () => Math.floor(this.random() * 16).toString(16)).join("");
  }

  #shuffled<T>(values: readonly T[]): T[] {
    const drawn = values.map((value) => ({ value, at: this.random() }));
    return drawn.sort((a, b) => a.at - b.at).map(({ value }) => value);
  }
}
