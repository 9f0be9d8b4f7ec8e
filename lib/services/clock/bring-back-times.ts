import { LONGEST_HOLD_SECONDS } from "@/lib/ai/felt-limit";
import { inTransaction } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { longestSilenceSeconds } from "@/lib/services/clock/longest-wait";
import { KEY_KEPT_HOURS, KEY_LEASE_SECONDS } from "@/lib/services/idempotency/claim-key";
import { OUTBOX_CLAIM_SECONDS } from "@/lib/services/outbox/relay-outbox";
import { LONGEST_LOCK_SECONDS } from "@/lib/services/people/throttle-attempts";

/** Clocks are set by moments, and settings differ between two versions: less than this is no clock that was ahead. */
const SLACK_SECONDS = 300;

/** Later than what is set now for the longest of these waits: of a clock that was ahead. */
const tooLate = (seconds: number) => `now() + interval '${SLACK_SECONDS + seconds} seconds'`;

interface WrittenAhead {
  table: string;
  /** Of the table as `t`, for an index where there are many rows. */
  where: string;
  set: string;
}

/**
 * What something waits for, with what ends the wait. Queued work has its own, in inngest/embedded/bring-back.ts; of what waits there
 * for longer than it says here, turns and deliveries are found by their sweeps.
 */
function writtenAhead(): WrittenAhead[] {
  const delays = env().WEBHOOK_RETRY_DELAYS_SECONDS;
  // The longest after as many attempts or fewer: of a delivery that was sent anew, all of its rounds are counted.
  const longestDelay = `SELECT max(delay) FROM unnest('{${delays.join()}}'::float8[]) WITH ORDINALITY AS u (delay, n)`;
  return [
    {
      table: "outbox_events",
      where: `t.available_at > ${tooLate(Math.max(OUTBOX_CLAIM_SECONDS, LONGEST_HOLD_SECONDS))}`,
      set: "available_at = now()",
    },
    {
      table: "turns",
      where: `t.status IN ('queued', 'running') AND t.heartbeat_at > ${tooLate(longestSilenceSeconds())}`,
      set: "heartbeat_at = now()",
    },
    {
      table: "sessions",
      where: `t.status <> 'expired' AND t.open_turns = 0 AND t.last_activity_at > ${tooLate(0)}`,
      set: "last_activity_at = now()",
    },
    {
      table: "webhook_deliveries",
      where: `t.status = 'pending' AND t.next_attempt_at > ${tooLate(0)} AND t.next_attempt_at >
        ${tooLate(0)} + make_interval(secs => coalesce((${longestDelay} WHERE n <= t.attempt_count), 0))`,
      set: "next_attempt_at = now()",
    },
    // Begun and not ended: its maker is waited for.
    {
      table: "webhook_attempts",
      where: `t.duration_ms IS NULL AND t.started_at > ${tooLate(0)}
        AND t.delivery_id IN (SELECT d.id FROM webhook_deliveries d WHERE d.status = 'pending')`,
      set: "started_at = now()",
    },
    {
      table: "sign_in_attempts",
      where: `t.locked_until > ${tooLate(LONGEST_LOCK_SECONDS)}`,
      set: "locked_until = NULL",
    },
    {
      table: "idempotency_keys",
      where: `t.expires_at > ${tooLate(KEY_KEPT_HOURS * 3_600)} AND t.state = 'running'
        AND t.locked_until > ${tooLate(KEY_LEASE_SECONDS)}`,
      set: "locked_until = now()",
    },
  ];
}

const BATCH_ROWS = 1_000;

/**
 * Brings back to now what a clock of the database that was ahead for a while has left waiting for longer than it may: nobody could
 * sign in, no delivery be tried and no turn be found lost for as long as the clock was ahead, which may be years. Safe beside
 * calls, workers and itself: who holds a row has it.
 * @returns how many rows
 */
export async function bringBackTimes(): Promise<number> {
  let total = 0;
  for (const written of writtenAhead()) total += await bringBack(written);
  if (total > 0) log("warn", "Times that lay too far ahead were brought back: the clock was ahead.", { rows: total });
  return total;
}

async function bringBack({ table, where, set }: WrittenAhead): Promise<number> {
  for (let total = 0; ; ) {
    const rows = await inTransaction(async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE ${table} SET ${set} WHERE ctid = ANY (ARRAY (
           SELECT t.ctid FROM ${table} t WHERE ${where} LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED))`,
      );
      return rowCount ?? 0;
    });
    total += rows;
    if (rows < BATCH_ROWS) return total;
  }
}
