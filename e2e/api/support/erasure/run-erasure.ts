import { setTimeout as delay } from "node:timers/promises";
import { newTemplate } from "@/e2e/api/support/account-states";
import { ACTS, type Act, type BusyUser, OPEN_ACTS, readWithoutName } from "@/e2e/api/support/erasure/end-user-acts";
import { apiClient } from "@/e2e/support/api-client";
import { countInDatabase, findInFiles } from "@/e2e/support/canary-search";
import { startHttpsReceiver } from "@/e2e/support/https-receiver";
import { LONG_DOCUMENT_MODEL } from "@/e2e/support/long-document";
import { suite } from "@/e2e/support/suite";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { checkBooks } from "@/lib/services/credits/check-books";
import { getDataRequest } from "@/lib/services/data-rights/list-data-requests";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";
import { requestErasure } from "@/lib/services/data-rights/request-end-user-data";

export interface ErasureSize {
  accounts: number;
  /** Half of them are erased. */
  usersPerProject: number;
}

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

const PROJECTS_PER_ACCOUNT = 2;
const FIRST_PASS_MS = 90_000;
const ALL_PASSES_MS = 300_000;
const POLL_MS = 500;
/** Tables whose rows go when their work has ended. */
const PASSING = new Set(["turn_parts", "turn_outputs", "outbox_events", "pending_uploads"]);
const _RECEIPTS = "data_requests";

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

/** Of one canary: rows by table, and files. */
interface Traces {
  rows: Map<string, number>;
  files: string[];
}

class ErasureRun {
  readonly #violations: string[] = [];
  #acts = 0;

  constructor(
    private readonly random: () => number,
    private readonly options: ErasureOptions,
  ) {}

  async run(receiverUrl: string): Promise<ErasureResult> {
    const users = await this.#makeUsers(receiverUrl);
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
    const left = this.#checkGone(gone, after);
    const kept = await this.#checkKept(stay, before, after);
    await this.#checkOverApi(gone, stay);
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

  async #makeUsers(receiverUrl: string): Promise<BusyUser[]> {
    const accounts = await Promise.all(
      Array.from({ length: this.options.accounts }, async () => {
        const first = await createTestAccount({ planId: "scale", credits: 1_000_000, rateLimitPerMinute: 1_000_000 });
        const names = Array.from({ length: PROJECTS_PER_ACCOUNT - 1 }, (_, index) => `Further ${index + 1}`);
        return [first, ...(await Promise.all(names.map((name) => addTestProject(first, name))))];
      }),
    );
    const users = await Promise.all(accounts.flat().map((account) => this.#makeUsersOf(account, receiverUrl)));
    return users.flat();
  }

  async #makeUsersOf(account: TestAccount, receiverUrl: string): Promise<BusyUser[]> {
    const { projectId } = account;
    await prisma().project.update({
      where: { id: projectId },
      data: { apiMemoryPerUser: true, model: LONG_DOCUMENT_MODEL },
    });
    const api = apiClient(suite.url, account.apiKey);
    const templateId = await newTemplate(account, "Dear {{name}}", { name: "you" });
    const body = { url: `${receiverUrl}/all`, events: ["completion", "error"] };
    await api.post(`//b2b/partners/${account.accountId}/webhooks`, body);
    return Array.from({ length: this.options.usersPerProject }, () => {
      const canary = `canary${this.#digits(16)}`;
      return { account, api, canary, endUserId: `user+${canary}@x.example`, templateId, receiverUrl, sessionIds: [] };
    });
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

  #checkGone(gone: BusyUser[], after: Map<string, Traces>): ErasureResult["left"] {
    const left = { rows: 0, files: 0, logLines: 0 };
    const lines = this.options.log?.().split("\n") ?? [];
    for (const { canary } of gone) {
      const traces = after.get(canary);
      for (const [table, count] of traces?.rows ?? []) {
        this.#violations.push(`${count} rows of ${table} still name an erased end user (${canary})`);
      }
      for (const file of traces?.files ?? [])
        this.#violations.push(`${file} still holds an erased end user (${canary})`);
      const logged = lines.filter((line) => line.includes(canary));
      if (logged[0]) this.#violations.push(`the log names an erased end user: ${logged[0].slice(0, 300)}`);
      left.rows += countRows(traces);
      left.files += traces?.files.length ?? 0;
      left.logLines += logged.length;
    }
    return left;
  }

  /** What was there of the others is there; work of theirs that went on has added to it. */
  async #checkKept(
    stay: BusyUser[],
    before: Map<string, Traces>,
    after: Map<string, Traces>,
  ): Promise<ErasureResult["kept"]> {
    const kept = { rows: 0, files: 0 };
    for (const { canary } of stay) {
      const [had, has] = [before.get(canary), after.get(canary)];
      for (const [table, count] of had?.rows ?? []) {
        const now = has?.rows.get(table) ?? 0;
        if (now < count && !PASSING.has(table) && !table.startsWith("runner_"))
          this.#violations.push(`of ${count} rows of ${table} with ${canary}, who stays, ${now} are left`);
      }
      const lost = had?.files.filter((file) => !has?.files.includes(file)) ?? [];
      for (const file of lost) this.#violations.push(`${file} of ${canary}, who stays, is gone`);
      kept.rows += countRows(has);
      kept.files += has?.files.length ?? 0;
    }
    return kept;
  }

  async #checkOverApi(gone: BusyUser[], stay: BusyUser[]): Promise<void> {
    for (const [users, wanted] of [
      [gone, 404],
      [stay, 200],
    ] as const) {
      for (const { api, sessionIds, canary } of users) {
        for (const sessionId of sessionIds) {
          const { status } = await api.get(`/chat/${sessionId}`);
          if (status !== wanted)
            this.#violations.push(`${sessionId} of ${canary} is answered ${status}, not ${wanted}`);
        }
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

async function tracesOf(users: BusyUser[]): Promise<Map<string, Traces>> {
  const canaries = users.map(({ canary }) => canary);
  const rows = await countInDatabase(suite.variables.DATABASE_URL ?? "", canaries);
  const traces = new Map<string, Traces>();
  for (const canary of canaries) {
    const files = await findInFiles(suite.variables.DATA_DIR ?? "", canary);
    traces.set(canary, { rows: rows.get(canary) ?? new Map(), files });
  }
  return traces;
}

const countRows = (traces: Traces | undefined) => sum([...(traces?.rows ?? [])].map(([, count]) => count));
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

async function countOpenTurns(): Promise<number> {
  const { rows } = await db().query<{ open: number }>(
    "SELECT count(*)::int AS open FROM turns WHERE status IN ('queued', 'running')",
  );
  return rows[0]?.open ?? 0;
}

/** Turns have ended, profiles have been learned and exports made; a callback that fails goes on failing. */
async function untilQuiet(projectIds: string[]): Promise<void> {
  await until(async () => {
    const { rows } = await db().query<{ open: number }>(
      `SELECT (SELECT count(*) FROM turns WHERE project_id = ANY ($1) AND status IN ('queued', 'running'))
            + (SELECT count(*) FROM data_requests WHERE project_id = ANY ($1) AND state IN ('queued', 'running'))
            + (SELECT count(*) FROM outbox_events WHERE name = 'memory/due') AS open`,
      [projectIds],
    );
    return Number(rows[0]?.open) === 0;
  });
}

/** The log of calls grows no more. */
async function untilLogged(projectIds: string[]): Promise<void> {
  let before = -1;
  await until(async () => {
    const now = await prisma().callLog.count({ where: { projectId: { in: projectIds } } });
    const isStill = now === before;
    before = now;
    if (!isStill) await delay(LOG_MS);
    return isStill;
  });
}

/** Longer than calls are kept back before they are logged. */
const LOG_MS = 2_000;

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + FIRST_PASS_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("What was started did not come to its end.");
    await delay(POLL_MS);
  }
}
