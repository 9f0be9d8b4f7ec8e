import { inTransaction } from "@/lib/db/pool";
import { log } from "@/lib/log";
import { longestWaitSeconds } from "@/lib/services/clock/longest-wait";

/** `$1`: what is later than this is of a clock that was ahead. */
const TOO_LATE = "now() + make_interval(secs => $1)";

interface WrittenAhead {
  table: string;
  /** Of the table as `t`, for an index where there are many rows. */
  where: string;
  set: string;
}

/** What something waits for, with what ends the wait. Queued work has its own, in inngest/embedded/bring-back.ts. */
const WRITTEN_AHEAD: readonly WrittenAhead[] = [
  { table: "outbox_events", where: `t.available_at > ${TOO_LATE}`, set: "available_at = now()" },
  {
    table: "turns",
    where: `t.status IN ('queued', 'running') AND t.heartbeat_at > ${TOO_LATE}`,
    set: "heartbeat_at = now()",
  },
  {
    table: "sessions",
    where: `t.status <> 'expired' AND t.open_turns = 0 AND t.last_activity_at > ${TOO_LATE}`,
    set: "last_activity_at = now()",
  },
  {
    table: "webhook_deliveries",
    where: `t.status = 'pending' AND t.next_attempt_at > ${TOO_LATE}`,
    set: "next_attempt_at = now()",
  },
  // Begun and not ended: its maker is waited for.
  {
    table: "webhook_attempts",
    where: `t.duration_ms IS NULL AND t.started_at > ${TOO_LATE}
      AND t.delivery_id IN (SELECT d.id FROM webhook_deliveries d WHERE d.status = 'pending')`,
    set: "started_at = now()",
  },
  { table: "sign_in_attempts", where: `t.locked_until > ${TOO_LATE}`, set: "locked_until = NULL" },
  {
    table: "idempotency_keys",
    where: `t.expires_at > ${TOO_LATE} AND t.state = 'running' AND t.locked_until > ${TOO_LATE}`,
    set: "locked_until = now()",
  },
];

const BATCH_ROWS = 1_000;

/**
 * Brings back to now what a clock of the database that was ahead for a while has left waiting for a time that may be years away:
 * nobody could sign in, no delivery be tried and no turn be found lost until then. Safe beside calls, workers and itself: who
 * holds a row has it.
 * @returns how many rows
 */
export async function bringBackTimes(): Promise<number> {
  let total = 0;
  for (const written of WRITTEN_AHEAD) total += await bringBack(written);
  if (total > 0) log("warn", "Times that lay too far ahead were brought back: the clock was ahead.", { rows: total });
  return total;
}

async function bringBack({ table, where, set }: WrittenAhead): Promise<number> {
  for (let total = 0; ; ) {
    const rows = await inTransaction(async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE ${table} SET ${set} WHERE ctid = ANY (ARRAY (
           SELECT t.ctid FROM ${table} t WHERE ${where} LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED))`,
        [longestWaitSeconds()],
      );
      return rowCount ?? 0;
    });
    total += rows;
    if (rows < BATCH_ROWS) return total;
  }
}
