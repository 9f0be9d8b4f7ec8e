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
  onError(error: unknown): void;
  /** The safety net behind the wake-ups. */
  pollSeconds?: number;
}

export interface Relay {
  stop(): Promise<void>;
}

const BATCH_SIZE = 200;

/** From which end of what is due a batch is taken. */
type End = "oldest" | "newest";

const ORDERS = { oldest: "ASC", newest: "DESC" } as const;

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

  const run = async () => {
    while (!isStopped) {
      if (!isWanted) await new Promise<void>((resolve) => (resume = resolve));
      isWanted = false;
      try {
        await relayAll(options, () => isStopped);
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

/**
 * As long as batches are full every second one is the newest that is due: a company that has a hundred thousand deliveries sent again
 * would else hold up what happens at all others, until the last of them is handed over. Those are written behind what is news
 * (lib/db/outbox.ts).
 */
export async function relayAll(to: HandOver, isStopped: () => boolean = () => false): Promise<void> {
  for (let end: End = "oldest"; !isStopped(); end = end === "oldest" ? "newest" : "oldest") {
    if ((await relayBatch(to, end)) < BATCH_SIZE) return;
  }
}

/** Hands one batch over; returns how many rows it held. When the queue refuses, the rows come back after a second. */
export async function relayBatch({ send, move }: HandOver, end: End = "oldest"): Promise<number> {
  // With the time of its row: the SDK would say that of this machine, and Inngest lets an event wait until its time has come.
  // A claim lost in a crash only means handing the rows over again: no need to wait for the disk. As an array the due ones are looked
  // for once: the plan is kept from when the table was empty, and as a join it looked for them anew for each row that waits.
  const { rows } = await logDb().query<QueueEvent>({
    name: `claim-outbox-${end}`,
    text: `UPDATE outbox_events SET attempts = attempts + 1, available_at = now() + make_interval(secs => ${OUTBOX_CLAIM_SECONDS})
           WHERE id = ANY (ARRAY (SELECT id FROM outbox_events WHERE available_at <= now()
                                  ORDER BY available_at ${ORDERS[end]}, id ${ORDERS[end]}
                                  LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))
           RETURNING id, name, data, (extract(epoch FROM created_at) * 1000)::float8 AS ts`,
  });
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.id);
  try {
    await (move ?? send)(rows);
  } catch (error) {
    await db().query("UPDATE outbox_events SET available_at = now() + interval '1 second' WHERE id = ANY($1)", [ids]);
    throw error;
  }
  if (move) return rows.length;
  await logDb().query({ name: "drop-outbox", text: "DELETE FROM outbox_events WHERE id = ANY($1)", values: [ids] });
  return rows.length;
}
