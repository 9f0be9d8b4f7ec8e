import type { FailedRun, FailedRunSubject } from "@/lib/contracts/staff-system";
import { db } from "@/lib/db/pool";
import { cutText } from "@/lib/domain/cut-text";
import { isId } from "@/lib/domain/ids";

const MAX_MESSAGE_CHARACTERS = 500;

interface FailedRunRow extends Omit<FailedRun, "message" | "subject" | "createdAt" | "failedAt"> {
  output: string | null;
  /** Of the event that began it, as JSON. */
  payload: string | null;
  createdAt: Date;
  failedAt: Date | null;
}

/** For staff: runs of the embedded queue that failed for good within the day that they are kept, newest first. */
export async function listFailedRuns(limit = 50): Promise<FailedRun[]> {
  const { rows } = await db().query<FailedRunRow>(
    `SELECT run.id, run.function_id AS "functionId", run.output, event.payload, run.created_at AS "createdAt",
       run.ended_at AS "failedAt"
     FROM runner_runs run LEFT JOIN runner_events event ON event.id = run.event_id
     WHERE run.status = 'failed' ORDER BY run.ended_at DESC, run.id DESC LIMIT $1`,
    [limit],
  );
  return rows.map(({ output, payload, createdAt, failedAt, ...run }) => ({
    ...run,
    message: messageOf(output),
    subject: subjectOf(payload),
    createdAt: createdAt.toISOString(),
    failedAt: failedAt?.toISOString() ?? null,
  }));
}

/** The queue keeps what the function threw as JSON with a stack: only its message is shown. */
function messageOf(output: string | null): string {
  try {
    const { message } = JSON.parse(output ?? "{}") as { message?: unknown };
    return typeof message === "string" ? cutText(message, MAX_MESSAGE_CHARACTERS) : "";
  } catch {
    return "";
  }
}

/** The nearest first: a turn says more than whose it is. */
const SUBJECT_KINDS = ["delivery", "turn", "session", "account"] as const;

interface EventOfRun {
  /** Of a run's failure handler: the event of the run itself. */
  data?: Record<string, unknown> & { event?: EventOfRun };
}

function subjectOf(payload: string | null): FailedRunSubject | null {
  try {
    const { data = {} } = JSON.parse(payload ?? "{}") as EventOfRun;
    const ids = data.event?.data ?? data;
    const kind = SUBJECT_KINDS.find((name) => isId(name, String(ids[`${name}Id`])));
    if (kind === undefined) return null;
    const accountId = String(ids.accountId);
    return { kind, id: String(ids[`${kind}Id`]), accountId: isId("account", accountId) ? accountId : null };
  } catch {
    return null;
  }
}
