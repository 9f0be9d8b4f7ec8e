import { setTimeout as delay } from "node:timers/promises";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";

const MOST_MS = 90_000;
const POLL_MS = 500;

export async function countOpenTurns(): Promise<number> {
  const { rows } = await db().query<{ open: number }>(
    "SELECT count(*)::int AS open FROM turns WHERE status IN ('queued', 'running')",
  );
  return rows[0]?.open ?? 0;
}

/** Turns have ended, profiles have been learned and exports made; a callback that fails goes on failing. */
export async function untilQuiet(projectIds: string[]): Promise<void> {
  await until(async () => {
    const { rows } = await db().query<{ open: number }>(
      `SELECT (SELECT count(*) FROM turns WHERE project_id = ANY ($1) AND status IN ('queued', 'running'))
            + (SELECT count(*) FROM data_requests WHERE project_id = ANY ($1) AND state IN ('queued', 'running'))
            + (SELECT count(*) FROM outbox_events WHERE name = 'memory/due' AND split_part(data->>'endUser', '/', 1) = ANY ($1)) AS open`,
      [projectIds],
    );
    return Number(rows[0]?.open) === 0;
  });
}

/** The log of calls grows no more. */
export async function untilLogged(projectIds: string[]): Promise<void> {
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
  const deadline = Date.now() + MOST_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("What was started did not come to its end.");
    await delay(POLL_MS);
  }
}
