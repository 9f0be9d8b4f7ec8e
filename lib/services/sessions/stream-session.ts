import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import type { SessionStatus } from "@/lib/domain/session-status";
import { type AnnouncedEvent, sessionHub } from "@/lib/services/sessions/session-hub";

/** One event of the stream (contract §5); `data` is JSON text. */
export interface StreamEvent {
  event: string;
  id?: number;
  data: string;
}

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
const LOOK_AGAIN_MS = 5_000;
const PAGE_SIZE = 500;

/**
 * The latest turn's events, from its first chunk or from after event `after`, live until its terminal event.
 * Null when that event was sent already: there is nothing left to stream (204).
 * @throws AppError NOT_FOUND
 */
export async function streamSession(
  principal: Principal,
  sessionId: string,
  options: { endUserId?: string; after?: number; signal: AbortSignal },
): Promise<AsyncGenerator<StreamEvent> | null> {
  const mailbox = new Mailbox(options.signal);
  const unsubscribe = await sessionHub().subscribe(sessionId, (event) => mailbox.put(event));
  let isHandedOver = false;
  try {
    const start = await findLatestTurn(principal, sessionId, options.endUserId);
    if (!start) throw notFound("The session");
    const after = options.after ?? 0;
    if (!start.isOpen && start.lastSeq !== null && after >= start.lastSeq) return null;
    isHandedOver = true;
    return follow(sessionId, start, after, mailbox, unsubscribe);
  } finally {
    if (!isHandedOver) unsubscribe();
  }
}

async function* follow(
  sessionId: string,
  start: StreamStart,
  after: number,
  mailbox: Mailbox,
  unsubscribe: () => void,
): AsyncGenerator<StreamEvent> {
  try {
    yield { event: "status", data: JSON.stringify({ sessionId, status: start.status }) };
    let seq = Math.max(after, (start.firstSeq ?? 1) - 1);
    let isBehind = true;
    while (!mailbox.isClosed) {
      if (isBehind) {
        const events = await readEvents(sessionId, start.turnId, seq);
        for (const event of events) {
          seq = event.seq;
          if (STREAMED_TYPES.has(event.type)) yield { event: event.type, id: event.seq, data: event.data };
          if (TERMINAL_TYPES.has(event.type)) return;
        }
        if (events.length === PAGE_SIZE) continue;
      }
      const next = await mailbox.take(LOOK_AGAIN_MS);
      isBehind = next === null || next.data === null || (next.turnId === start.turnId && next.seq > seq + 1);
      if (next === null || next.data === null || isBehind || next.turnId !== start.turnId || next.seq <= seq) continue;
      seq = next.seq;
      if (STREAMED_TYPES.has(next.type)) yield { event: next.type, id: next.seq, data: next.data };
      if (TERMINAL_TYPES.has(next.type)) return;
    }
  } finally {
    unsubscribe();
  }
}

async function findLatestTurn(principal: Principal, sessionId: string, endUserId: string | undefined) {
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
  const { rows } = await db().query<{ seq: number; type: string; data: string }>({
    name: "read-events",
    text: `SELECT seq, type, data::text AS data FROM session_events
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

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener("abort", () => this.#deliver?.(null), { once: true });
  }

  get isClosed(): boolean {
    return this.signal.aborted;
  }

  put(event: AnnouncedEvent | null): void {
    if (this.#deliver) this.#deliver(event);
    else if (this.#waiting.length >= Mailbox.#MAX_WAITING) this.#waiting = [null];
    else this.#waiting.push(event);
  }

  /** The next announcement; null when it is time to look at the table. */
  async take(timeoutMs: number): Promise<AnnouncedEvent | null> {
    if (this.#waiting.length > 0) return this.#waiting.shift() ?? null;
    if (this.isClosed) return null;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#deliver?.(null), timeoutMs);
      this.#deliver = (event) => {
        clearTimeout(timer);
        this.#deliver = null;
        resolve(event);
      };
    });
  }
}
