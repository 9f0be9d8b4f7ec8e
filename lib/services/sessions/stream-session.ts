import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { findStreamStart, type StreamStart } from "@/lib/services/sessions/find-stream-start";
import { Mailbox } from "@/lib/services/sessions/mailbox";
import {
  findEndBehind,
  isFullPage,
  type LoggedEvent,
  readEvents,
  TERMINAL_TYPES,
} from "@/lib/services/sessions/read-turn-events";
import { sessionHub } from "@/lib/services/sessions/session-hub";

/** One event of the stream (contract §5). */
export interface StreamEvent {
  event: string;
  id?: number;
  data: unknown;
}

/** Follows the events until the turn ends or the signal aborts. */
export type SessionStream = (signal: AbortSignal) => AsyncIterableIterator<StreamEvent>;

const STREAMED_TYPES = new Set(["chunk", "reset", "completed", "error"]);

/** What a reader gets to see: which events, and of those not these fields. */
interface StreamView {
  types: ReadonlySet<string>;
  hidden: ReadonlySet<string>;
}

/** Of each kind of reader: the client by its key, people in the panel, and pages of the client's users by its links. */
const VIEWS = {
  client: { types: STREAMED_TYPES, hidden: new Set() },
  panel: { types: new Set([...STREAMED_TYPES, "progress"]), hidden: new Set() },
  // What a turn costs, how it is made and what the client calls it is between us and the client.
  page: { types: STREAMED_TYPES, hidden: new Set(["creditsUsed", "tokensIn", "tokensOut", "templateId", "reference"]) },
} satisfies Record<string, StreamView>;

/** The safety net behind the announcements. */
const LOOK_AGAIN_MS = 20_000;

interface StreamOptions {
  endUserId?: string | undefined;
  after?: number | undefined;
  reader?: keyof typeof VIEWS;
}

/**
 * A turn's events, live until its terminal event: those of the latest turn from its first chunk, or what follows event `after` in
 * that one's turn, or in the next when it was its turn's last. Null when nothing follows (204). The stream must be called, and its
 * signal aborted in the end, to let go of the session.
 * @param reader panel: with how far the reading of files is; page: without what is the client's own business
 * @throws AppError NOT_FOUND
 */
export async function openSessionStream(
  principal: Pick<Principal, "projectId">,
  sessionId: string,
  { endUserId, after = 0, reader = "client" }: StreamOptions,
): Promise<SessionStream | null> {
  const mailbox = new Mailbox();
  // Before the first look at the table, so that nothing falls between the two.
  const unsubscribe = await sessionHub().subscribe(sessionId, (event) => mailbox.put(event));
  let isHandedOver = false;
  try {
    const start = await findStreamStart({ sessionId, projectId: principal.projectId, endUserId, after });
    if (!start) throw notFound("The session");
    if (!start.isOpen && start.lastSeq !== null && start.after >= start.lastSeq) return null;
    isHandedOver = true;
    return (signal) => {
      const leave = () => {
        unsubscribe();
        mailbox.put(null);
      };
      signal.addEventListener("abort", leave, { once: true });
      return new Follower(sessionId, start, mailbox, signal, VIEWS[reader]);
    };
  } finally {
    if (!isHandedOver) unsubscribe();
  }
}

/**
 * The events of a turn, one by one. Written out rather than as a generator: thousands wait at a time, and a generator that
 * waits in another one's `await` takes several times the memory.
 */
class Follower implements AsyncIterableIterator<StreamEvent> {
  #seq: number;
  /** The first look saw what there was then; what came since is in the mailbox. */
  #isBehind: boolean;
  #page: LoggedEvent[] = [];
  #hasBegun = false;
  #isOver = false;
  /** The turn's end as it was announced: a session that is deleted takes its log along before everybody has read it. */
  #end: LoggedEvent | undefined;

  constructor(
    private readonly sessionId: string,
    private readonly turn: StreamStart,
    private readonly mailbox: Mailbox,
    private readonly signal: AbortSignal,
    private readonly view: StreamView,
  ) {
    // An event of the turn that is still to come cannot have been received, whatever the client says.
    const received = Math.min(turn.after, turn.lastSeq ?? 0);
    this.#seq = Math.max(received, (turn.firstSeq ?? 1) - 1);
    this.#isBehind = (turn.lastSeq ?? 0) > this.#seq;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<StreamEvent>> {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      const { sessionId, turn } = this;
      return { done: false, value: { event: "status", data: { sessionId, status: turn.status } } };
    }
    while (!this.#isOver && !this.signal.aborted) {
      const found = this.#page.shift() ?? (this.#isBehind ? await this.#readPage() : await this.#hear());
      if (!found) continue;
      const { seq, type, data } = found;
      this.#seq = seq;
      this.#isOver = TERMINAL_TYPES.has(type);
      if (this.view.types.has(type)) {
        return { done: false, value: { event: type, id: seq, data: inOrder(data, this.view.hidden) } };
      }
    }
    return { done: true, value: undefined };
  }

  async #readPage(): Promise<LoggedEvent | undefined> {
    this.#page = await readEvents(this.sessionId, this.turn.turnId, this.#seq);
    this.#isBehind = isFullPage(this.#page);
    const next = this.#page.shift();
    if (next) return next;
    const found = await findEndBehind(this.turn.turnId, this.sessionId, this.#seq);
    if (found !== "gone") return found;
    this.#isOver = true;
    return this.#end;
  }

  /**
   * An announcement that is not the next one, or not whole, only says that there is something to read. The turn's end is the
   * end wherever it stands.
   */
  async #hear(): Promise<LoggedEvent | undefined> {
    const next = await this.mailbox.take(LOOK_AGAIN_MS);
    if (next && next.turnId !== this.turn.turnId) return undefined;
    this.#isBehind = next === null || next.data === null || next.seq > this.#seq + 1;
    if (!next?.data) return undefined;
    const isEnd = TERMINAL_TYPES.has(next.type);
    if (next.seq <= this.#seq && !isEnd) return undefined;
    const heard = { seq: next.seq, type: next.type, data: JSON.parse(next.data) };
    if (isEnd) this.#end = heard;
    return this.#isBehind ? undefined : heard;
  }
}

/**
 * The log keeps no order of an event's fields: as it is announced and as it is read again, it is the same text with the
 * fields in this one.
 */
function inOrder(data: unknown, hidden: StreamView["hidden"]): Record<string, unknown> {
  const { type, sessionId, ...rest } = data as Record<string, unknown>;
  const shown = Object.entries(rest).filter(([name]) => !hidden.has(name));
  const others = shown.sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...(type !== undefined && { type }), sessionId, ...Object.fromEntries(others) };
}
