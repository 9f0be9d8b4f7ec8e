import type { FailedRun } from "@/lib/contracts/staff";
import { db } from "@/lib/db/pool";

const MAX_MESSAGE_CHARACTERS = 500;

interface FailedRunRow extends Omit<FailedRun, "message" | "createdAt" | "failedAt"> {
  output: string | null;
  createdAt: Date;
  failedAt: Date | null;
}

/** For staff: runs of the embedded queue that failed for good within the day that they are kept, newest first. */
export async function listFailedRuns(limit = 50): Promise<FailedRun[]> {
  const { rows } = await db().query<FailedRunRow>(
    `SELECT id, function_id AS "functionId", output, created_at AS "createdAt", ended_at AS "failedAt"
     FROM runner_runs WHERE status = 'failed' ORDER BY ended_at DESC, id DESC LIMIT $1`,
    [limit],
  );
  return rows.map(({ output, createdAt, failedAt, ...run }) => ({
    ...run,
    message: messageOf(output),
    createdAt: createdAt.toISOString(),
    failedAt: failedAt?.toISOString() ?? null,
  }));
}

/** The queue keeps what the function threw as JSON with a stack: only its message is shown. */
function messageOf(output: string | null): string {
  try {
    const { message } = JSON.parse(output ?? "{}") as { message?: unknown };
    return typeof message === "string" ? message.slice(0, MAX_MESSAGE_CHARACTERS) : "";
  } catch {
    return "";
  }
}
