import { BEHIND, IS_BEHIND, IS_NEWS } from "@/lib/db/outbox";
import { db, logDb } from "@/lib/db/pool";
import { onRelayWake, type QueueEvent } from "@/lib/services/outbox/relay-wake";

export interface RelayOptions {
  /** Hands events to the queue; resolves when the queue has them. */
  send(events: QueueEvent[]): Promise<void>;
  /**
   * Of a queue in the same database: what a row is there becomes what it is here, in one statement. Rows that are not there
   * any more are left alone.
   */
  move?(events: QueueEvent[]): Promise<void>;
  /** Of a queue that is elsewhere: whether it has begun with most of these, so that more of what is behind may go. */
  haveMostBegun?(events: QueueEvent[]): Promise<boolean>;
  onError(error: unknown): void;
  /** The safety net behind the wake-ups. */
  pollSeconds?: number;
}

export interface Relay {
  stop(): Promise<void>;
}

const BATCH_SIZE = 200;

/**
 * A queue that is elsewhere gets what is behind in small batches, each once it has begun with most of the one before: it would take
 * a hundred thousand events within seconds, and whatever comes after them waits until it has made runs of them all, and longer.
 */
const BEHIND_BATCH_SIZE = 100;
const BEHIND_PAUSE_MS = 1_000;
/** A batch that the queue lost, or whose receiver hangs, does not keep the others for longer. */
const BEHIND_PATIENCE_MS = 10_000;

/** What of that which is due a batch is of, and from which end. */
const PARTS = {
  oldest: { of: "", order: "ASC" },
  newest: { of: "", order: "DESC" },
  "oldest-news": { of: `AND ${IS_NEWS}`, order: "ASC" },
  "newest-news": { of: `AND ${IS_NEWS}`, order: "DESC" },
  "oldest-behind": { of: `AND ${IS_BEHIND}`, order: "ASC" },
  "newest-behind": { of: `AND ${IS_BEHIND}`, order: "DESC" },
} as const;

type Part = keyof typeof PARTS;

/** Nobody's flood keeps others waiting until its last: batches are of both ends in turn, as are those of what is behind. */
const ALL = ["oldest", "newest"] as const;
const NEWS = ["oldest-news", "newest-news"] as const;

/** After this a row whose hand-over was never confirmed is taken again, by whichever process. */
export const OUTBOX_CLAIM_SECONDS = 30;

/** A condition on `outbox_events`: it is to be handed over, or is just being; what is of a later time waits for that. */
export const IS_OF_NOW = "created_at <= now()";

/**
 * Hands the outbox to the queue for as long as the process lives: at once after a commit of this process, and every
 * second for whatever another left behind. At least once; the event id makes it exactly once on the other side.
 */
export function startRelay(options: RelayOptions): Relay {
  let isStopped = false;
  let isWanted = true;
  let resume: (() => void) | undefined;
  const wake = () => {
    isWanted = true;
    resume?.();
  };
  const { move } = options;
  const unsubscribe = onRelayWake((rows) => {
    if (!rows || !move) wake();
    // What cannot be moved now is found, and claimed, like any other row.
    else if (rows.length > 0) move(rows).catch(wake);
  });
  const timer = setInterval(wake, (options.pollSeconds ?? 1) * 1_000);

  const pace = move ? undefined : new Pace(options);
  const run = async () => {
    while (!isStopped) {
      if (!isWanted) await new Promise<void>((resolve) => (resume = resolve));
      isWanted = false;
      try {
        await relayAll(options, () => isStopped, pace);
      } catch (error) {
        options.onError(error);
      }
    }
  };
  const running = run();

  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      unsubscribe();
      wake();
      await running;
    },
  };
}

type HandOver = Pick<RelayOptions, "send" | "move">;

/** When batches of what is behind go to a queue that is elsewhere. */
class Pace {
  #last: QueueEvent[] = [];
  #lastAt = Number.NEGATIVE_INFINITY;
  #end: "oldest-behind" | "newest-behind" = "oldest-behind";

  constructor(private readonly options: Pick<RelayOptions, "haveMostBegun">) {}

  /** Hands one batch over where it is time for one. */
  async handOverDue(to: HandOver): Promise<void> {
    if (!(await this.#isDue())) return;
    this.#last = await handOver(to, this.#end);
    this.#lastAt = performance.now();
    this.#end = this.#end === "oldest-behind" ? "newest-behind" : "oldest-behind";
  }

  async #isDue(): Promise<boolean> {
    const waitedMs = performance.now() - this.#lastAt;
    if (waitedMs < BEHIND_PAUSE_MS) return false;
    return waitedMs >= BEHIND_PATIENCE_MS || ((await this.options.haveMostBegun?.(this.#last)) ?? true);
  }
}

/**
 * As long as batches are full every second one is the newest that is due: a company that has a hundred thousand deliveries sent again
 * would else hold up what happens at all others, until the last of them is handed over. Those are written behind what is news
 * (lib/db/outbox.ts).
 * @param pace hands over what is behind; absent: it goes with all others
 */
export async function relayAll(
  to: HandOver,
  isStopped: () => boolean = () => false,
  pace?: Pick<Pace, "handOverDue">,
): Promise<void> {
  const ends = pace ? NEWS : ALL;
  for (let number = 0; !isStopped(); number += 1) {
    const count = await relayBatch(to, ends[number % 2]);
    // After what is news, which goes also where the queue refuses this.
    await pace?.handOverDue(to);
    if (count < BATCH_SIZE) return;
  }
}

/** Hands one batch over; returns how many rows it held. When the queue refuses, the rows come back after a second, or behind. */
export async function relayBatch(to: HandOver, part: Part = "oldest"): Promise<number> {
  return (await handOver(to, part)).length;
}

async function handOver({ send, move }: HandOver, part: Part): Promise<QueueEvent[]> {
  const { of, order } = PARTS[part];
  const isBehind = part.endsWith("-behind");
  // With the time of its row: the SDK would say that of this machine, and Inngest lets an event wait until its time has come.
  // A claim lost in a crash only means handing the rows over again: no need to wait for the disk. As an array the due ones are looked
  // for once: the plan is kept from when the table was empty, and as a join it looked for them anew for each row that waits.
  const { rows } = await logDb().query<QueueEvent>({
    name: `claim-outbox-${part}`,
    text: `UPDATE outbox_events SET attempts = attempts + 1, available_at = now() + make_interval(secs => ${OUTBOX_CLAIM_SECONDS})
           WHERE id = ANY (ARRAY (SELECT id FROM outbox_events WHERE available_at <= now() ${of}
                                  ORDER BY available_at ${order}, id ${order}
                                  LIMIT ${isBehind ? BEHIND_BATCH_SIZE : BATCH_SIZE} FOR UPDATE SKIP LOCKED))
           RETURNING id, name, data, (extract(epoch FROM created_at) * 1000)::float8 AS ts`,
  });
  if (rows.length === 0) return rows;
  const ids = rows.map((row) => row.id);
  try {
    await (move ?? send)(rows);
  } catch (error) {
    const again = isBehind ? BEHIND : "now() + interval '1 second'";
    await db().query(`UPDATE outbox_events SET available_at = ${again} WHERE id = ANY($1)`, [ids]);
    throw error;
  }
  if (move) return rows;
  await logDb().query({ name: "drop-outbox", text: "DELETE FROM outbox_events WHERE id = ANY($1)", values: [ids] });
  return rows;
}
