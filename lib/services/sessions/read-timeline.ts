import type { SessionTurn, TimelineEntry } from "@/lib/contracts/sessions";
import { db } from "@/lib/db/pool";
import type { ProjectScope } from "@/lib/domain/principal";
import type { TurnProgress } from "@/lib/domain/turn-progress";

/** Of a session with many receivers; the newest ones. */
const MAX_DELIVERIES = 500;

interface TimelineSession {
  id: string;
  endUserId: string | null;
  createdAt: Date;
}

/** What happened in a session, of the given turns and the session itself, the oldest first. */
export async function readTimeline(
  scope: ProjectScope,
  session: TimelineSession,
  turns: readonly SessionTurn[],
): Promise<TimelineEntry[]> {
  const turnIds = turns.map(({ id }) => id);
  const [steps, memory, deliveries] = await Promise.all([
    readSteps(session.id, turnIds),
    readMemory(scope, session, turnIds),
    readDeliveries(scope, session.id, turnIds),
  ]);
  const created: TimelineEntry = { at: session.createdAt.toISOString(), kind: "session.created" };
  const entries = [created, ...turns.flatMap(entriesOfTurn), ...steps, ...memory, ...deliveries];
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : RANKS[a.kind] - RANKS[b.kind]));
}

/** Which comes first of what is of the same millisecond. */
const RANKS: Record<TimelineEntry["kind"], number> = {
  "session.created": 0,
  "turn.accepted": 1,
  "turn.started": 2,
  "turn.retried": 3,
  "turn.progress": 3,
  "turn.completed": 4,
  "turn.failed": 4,
  "turn.canceled": 4,
  "memory.updated": 5,
  delivery: 6,
};

function entriesOfTurn({ id: turnId, status, createdAt, startedAt, endedAt, error }: SessionTurn): TimelineEntry[] {
  const entries: TimelineEntry[] = [{ at: createdAt, kind: "turn.accepted", turnId }];
  if (startedAt !== null) entries.push({ at: startedAt, kind: "turn.started", turnId });
  if (endedAt === null) return entries;
  if (status === "failed") entries.push({ at: endedAt, kind: "turn.failed", turnId, errorCode: error?.code ?? null });
  if (status === "completed" || status === "canceled") entries.push({ at: endedAt, kind: `turn.${status}`, turnId });
  return entries;
}

type StepRow = { turnId: string; at: Date } & ({ type: "reset" } | { type: "progress"; data: TurnProgress });

/** How far the reading of files was, and where another attempt began, which drops what the one before had written. */
async function readSteps(sessionId: string, turnIds: string[]): Promise<TimelineEntry[]> {
  const { rows } = await db().query<StepRow>(
    `SELECT turn_id AS "turnId", created_at AS at, type, data FROM session_events
     WHERE session_id = $1 AND turn_id = ANY($2::text[]) AND type IN ('reset', 'progress') ORDER BY seq`,
    [sessionId, turnIds],
  );
  return rows.map(({ turnId, at, ...step }) => {
    const entry = { at: at.toISOString(), turnId };
    if (step.type === "reset") return { ...entry, kind: "turn.retried" };
    const { stage, done, total, covers } = step.data;
    return { ...entry, kind: "turn.progress", stage, done, total, covers };
  });
}

async function readMemory(
  { projectId }: ProjectScope,
  { id, endUserId }: TimelineSession,
  turnIds: string[],
): Promise<TimelineEntry[]> {
  if (endUserId === null) return [];
  const { rows } = await db().query<{ turnId: string | null; version: number; at: Date }>(
    `SELECT turn_id AS "turnId", version, created_at AS at FROM memory_versions
     WHERE project_id = $1 AND end_user_id = $2 AND session_id = $3 AND turn_id = ANY($4::text[])`,
    [projectId, endUserId, id, turnIds],
  );
  return rows.map(({ at, turnId, version }) => ({ at: at.toISOString(), kind: "memory.updated", turnId, version }));
}

type DeliveryRow = Omit<Extract<TimelineEntry, { kind: "delivery" }>, "at" | "kind" | "deliveredAt"> & {
  at: Date;
  deliveredAt: Date | null;
};

/** Deliveries of the turns, and those that are of none: the session's expiry. */
async function readDeliveries(
  { accountId, projectId }: ProjectScope,
  sessionId: string,
  turnIds: string[],
): Promise<TimelineEntry[]> {
  const { rows } = await db().query<DeliveryRow>(
    `SELECT created_at AS at, id AS "deliveryId", event, url, status, attempt_count AS attempts,
            delivered_at AS "deliveredAt"
     FROM webhook_deliveries
     WHERE session_id = $1 AND project_id = $2 AND account_id = $3 AND (turn_id IS NULL OR turn_id = ANY($4::text[]))
     ORDER BY created_at DESC, id DESC LIMIT ${MAX_DELIVERIES}`,
    [sessionId, projectId, accountId, turnIds],
  );
  return rows.toReversed().map(({ at, deliveredAt, ...delivery }) => ({
    ...delivery,
    at: at.toISOString(),
    kind: "delivery",
    deliveredAt: deliveredAt?.toISOString() ?? null,
  }));
}
