import type { BusyUser } from "@/e2e/api/support/erasure/end-user-acts";
import { countRows, type Traces } from "@/e2e/api/support/erasure/traces";

/** Tables whose rows go when their work has ended. */
const PASSING = new Set(["turn_parts", "turn_outputs", "outbox_events", "pending_uploads"]);

/** Not a word of theirs is anywhere. */
export function checkGone(
  gone: BusyUser[],
  after: Map<string, Traces>,
  log: string,
  violations: string[],
): { rows: number; files: number; logLines: number } {
  const left = { rows: 0, files: 0, logLines: 0 };
  const lines = log.split("\n");
  for (const { canary } of gone) {
    const traces = after.get(canary);
    for (const [table, count] of traces?.rows ?? []) {
      violations.push(`${count} rows of ${table} still name an erased end user (${canary})`);
    }
    for (const file of traces?.files ?? []) violations.push(`${file} still holds an erased end user (${canary})`);
    const logged = lines.filter((line) => line.includes(canary));
    if (logged[0]) violations.push(`the log names an erased end user: ${logged[0].slice(0, 300)}`);
    left.rows += countRows(traces);
    left.files += traces?.files.length ?? 0;
    left.logLines += logged.length;
  }
  return left;
}

/** What was there of the others is there; work of theirs that went on has added to it. */
export function checkKept(
  stay: BusyUser[],
  before: Map<string, Traces>,
  after: Map<string, Traces>,
  violations: string[],
): { rows: number; files: number } {
  const kept = { rows: 0, files: 0 };
  for (const { canary } of stay) {
    const [had, has] = [before.get(canary), after.get(canary)];
    for (const [table, count] of had?.rows ?? []) {
      const now = has?.rows.get(table) ?? 0;
      if (now < count && !PASSING.has(table) && !table.startsWith("runner_"))
        violations.push(`of ${count} rows of ${table} with ${canary}, who stays, ${now} are left`);
    }
    const lost = had?.files.filter((file) => !has?.files.includes(file)) ?? [];
    for (const file of lost) violations.push(`${file} of ${canary}, who stays, is gone`);
    kept.rows += countRows(has);
    kept.files += has?.files.length ?? 0;
  }
  return kept;
}

/** Over HTTP the sessions of those who are gone are unknown, and those of the others are there. */
export async function checkOverApi(gone: BusyUser[], stay: BusyUser[], violations: string[]): Promise<void> {
  for (const [users, wanted] of [
    [gone, 404],
    [stay, 200],
  ] as const) {
    for (const { api, sessionIds, canary } of users) {
      for (const sessionId of sessionIds) {
        const { status } = await api.get(`/chat/${sessionId}`);
        if (status !== wanted) violations.push(`${sessionId} of ${canary} is answered ${status}, not ${wanted}`);
      }
    }
  }
}
