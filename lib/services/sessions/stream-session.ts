import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import type { SessionStatus } from "@/lib/domain/session-status";
import { type AnnouncedEvent, sessionHub } from "@/lib/services/sessions/session-hub";

/** One event of the stream (contract §5). */
export interface StreamEvent {
  event: string;
  id?: number;
  data: unknown;
}

/** Follows the events until the turn ends or the signal aborts. */
export type SessionStream = (signal: AbortSignal) => AsyncGenerator<StreamEvent>;

/** How a stream begins: the status, and the turn that it covers. */
interface StreamStart {
  status: SessionStatus;
  turnId: string;
  isOpen: boolean;
  /** Sequence numbers of the turn's events; null while there are none. */
  firstSeq: number | null;
  lastSeq: number | null;
}

const STREAMED_TYPES = new Set(["chunk", "reset", "completed", "error"]);
const TERMINAL_TYPES = new Set(["completed", "error"]);
/** The safety net behind the announcements. */
const LOOK_AGAIN_MS = 20_000;
const PAGE_SIZE = 500;

/**
 * The latest turn's events, from its first chunk or from after event `after`, live until its terminal event.
 * Null when that event was sent already: there is nothing left to stream (204). The stream must be called, and its
 * signal aborted in the end, to let go of the session.
 * @throws AppError NOT_FOUND
 */
export async function openSessionStream(
  principal: Pick<Principal, "projectId">,
  sessionId: string,
  { endUserId, after = 0 }: { endUserId?: string; after?: number },
): Promise<SessionStream | null> {
  const mailbox = new Mailbox();
  // Before the first look at the table, so that nothing falls between the two.
  const unsubscribe = await sessionHub().subscribe(sessionId, (event) => mailbox.put(event));
  let isHandedOver = false;
  try {
    const start = await findLatestTurn(principal, sessionId, endUserId);
    if (!start) throw notFound("The session");
    if (!start.isOpen && start.lastSeq !== null && after >= start.lastSeq) return null;
    isHandedOver = true;
    return (signal) => {
      signal.addEventListener("abort", unsubscribe, { once: true });
      return follow(sessionId, start, after, mailbox, signal);
    };
  } finally {
    if (!isHandedOver) unsubscribe();
  }
}

async function* follow(sessionId: string, start: StreamStart, after: number, mailbox: Mailbox, signal: AbortSignal) {
  yield { event: "status", data: { sessionId, status: start.status } } as StreamEvent;
  let seq = Math.max(after, (start.firstSeq ?? 1) - 1);
  // The first look saw what there was then; what came since is in the mailbox.
  let isBehind = (start.lastSeq ?? 0) > seq;
  while (!signal.aborted) {
    const events = isBehind ? await readEvents(sessionId, start.turnId, seq) : [];
    for (const event of events) {
      seq = event.seq;
      if (STREAMED_TYPES.has(event.type)) yield { event: event.type, id: event.seq, data: event.data };
      if (TERMINAL_TYPES.has(event.type)) return;
    }
    if (events.length === PAGE_SIZE) continue;
    const next = await mailbox.take(LOOK_AGAIN_MS, signal);
    // An announcement that is not the next one, or not whole, only says that there is something to read.
    isBehind = next === null || (next.turnId === start.turnId && (next.data === null || next.seq > seq + 1));
    if (next === null || isBehind || next.data === null || next.turnId !== start.turnId || next.seq <= seq) continue;
    seq = next.seq;
    if (STREAMED_TYPES.has(next.type)) yield { event: next.type, id: next.seq, data: JSON.parse(next.data) };
    if (TERMINAL_TYPES.has(next.type)) return;
  }
}

async function findLatestTurn(
  principal: Pick<Principal, "projectId">,
  sessionId: string,
  endUserId: string | undefined,
) {
  const { rows } = await db().query<StreamStart>({
    name: "stream-start",
    text: `
      SELECT s.status, t.id AS "turnId", t.status IN ('queued', 'running') AS "isOpen",
             ev.first_seq AS "firstSeq", ev.last_seq AS "lastSeq"
      FROM sessions s
      CROSS JOIN LATERAL (SELECT id, status FROM turns WHERE session_id = s.id ORDER BY position DESC LIMIT 1) t
      CROSS JOIN LATERAL (SELECT min(seq) AS first_seq, max(seq) AS last_seq FROM session_events
                          WHERE session_id = s.id AND turn_id = t.id) ev
      WHERE s.id = $1 AND s.project_id = $2 AND ($3::text IS NULL OR s.end_user_id = $3)`,
    values: [sessionId, principal.projectId, endUserId ?? null],
  });
  return rows[0];
}

async function readEvents(sessionId: string, turnId: string, afterSeq: number) {
  const { rows } = await db().query<{ seq: number; type: string; data: unknown }>({
    name: "read-events",
    text: `SELECT seq, type, data FROM session_events
           WHERE session_id = $1 AND seq > $2 AND turn_id = $3 ORDER BY seq LIMIT ${PAGE_SIZE}`,
    values: [sessionId, afterSeq, turnId],
  });
  return rows;
}

/** Announcements wait here until the stream takes them. A reader too slow for them is told to look at the table. */
class Mailbox {
  static readonly #MAX_WAITING = 200;
  #waiting: (AnnouncedEvent | null)[] = [];
  #deliver: ((event: AnnouncedEvent | null) => void) | null = null;

  put(event: AnnouncedEvent | null): void {
    if (this.#deliver) this.#deliver(event);
    else if (this.#waiting.length >= Mailbox.#MAX_WAITING) this.#waiting = [null];
    else this.#waiting.push(event);
  }

  /** The next announcement; null when it is time to look at the table, or when the signal aborts. */
  async take(timeoutMs: number, signal: AbortSignal): Promise<AnnouncedEvent | null> {
    if (signal.aborted) return null;
    if (this.#waiting.length > 0) return this.#waiting.shift() ?? null;
    return new Promise((resolve) => {
      const deliver = (event: AnnouncedEvent | null) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        this.#deliver = null;
        resolve(event);
      };
      const giveUp = () => deliver(null);
      const timer = setTimeout(giveUp, timeoutMs);
      signal.addEventListener("abort", giveUp, { once: true });
      this.#deliver = deliver;
    });
  }
}
