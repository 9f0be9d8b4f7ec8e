import type { SystemStatus } from "@/lib/contracts/staff-system";
import { db } from "@/lib/db/pool";
import { env, isRealInngestConfigured } from "@/lib/env";
import { IS_OF_NOW } from "@/lib/services/outbox/relay-outbox";
import { WAITS_FOR_LIMIT } from "@/lib/services/turns/expect-silence";

/**
 * For staff: how the installation does, of all its processes.
 * @param options.timeoutSeconds after which sessions expire; default: SESSION_TIMEOUT_SECONDS
 */
export async function getSystem(options: { timeoutSeconds?: number } = {}): Promise<SystemStatus> {
  const { timeoutSeconds = env().SESSION_TIMEOUT_SECONDS } = options;
  const spanSeconds = Math.min(LONGEST_SPAN_SECONDS, timeoutSeconds);
  const [queue, outbox, turns, ends, deliveries, mails, storage, database] = await Promise.all([
    first<SystemStatus["queue"]>(QUEUE),
    first<SystemStatus["outbox"]>(OUTBOX),
    first<SystemStatus["turns"]>(TURNS),
    first<Omit<SystemStatus["answers"], "spanSeconds">>(ANSWERS, [spanSeconds]),
    first<SystemStatus["deliveries"]>(DELIVERIES),
    first<SystemStatus["mails"]>(MAILS),
    first<SystemStatus["storage"]>(STORAGE),
    first<SystemStatus["database"]>(DATABASE),
  ]);
  const engine = isRealInngestConfigured() ? "inngest" : "embedded";
  return { engine, queue, outbox, turns, answers: { ...ends, spanSeconds }, deliveries, mails, storage, database };
}

/** Every one of these gives exactly one row: sums and counts alone. */
async function first<Row extends object>(text: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await db().query<Row>(text, values);
  return rows[0] as Row;
}

/** Seconds since the earliest of a column; 0 when it lies ahead or there is none. */
const age = (expression: string) => `greatest(0, coalesce(extract(epoch FROM now() - ${expression}), 0))::int`;

const QUEUE = `
  SELECT count(*) FILTER (WHERE state = 'ready' OR state = 'waiting' AND due_at <= now()) AS waiting,
    count(*) FILTER (WHERE state = 'waiting' AND due_at > now()) AS sleeping,
    count(*) FILTER (WHERE state = 'leased') AS running,
    ${age("min(due_at) FILTER (WHERE state <> 'leased')")} AS "oldestWaitingSeconds",
    count(*) FILTER (WHERE state = 'leased' AND leased_until < now()) AS "lostLeases",
    count(DISTINCT runner_id) FILTER (WHERE state = 'leased' AND leased_until >= now()) AS runners,
    (SELECT count(*) FROM runner_runs WHERE status = 'failed' AND ended_at > now() - interval '1 day') AS "failedRuns",
    (SELECT ${age("min(c.due_at)")} FROM runner_crons c JOIN runner_functions f ON f.id = c.function_id AND f.is_active)
      AS "lateCronSeconds"
  FROM runner_items`;

const OUTBOX = `SELECT count(*) AS waiting, ${age("min(created_at)")} AS "oldestSeconds"
  FROM outbox_events WHERE ${IS_OF_NOW}`;

const TURNS = `
  SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running,
    count(*) FILTER (WHERE ${WAITS_FOR_LIMIT}) AS limited, ${age("min(created_at)")} AS "oldestSeconds"
  FROM turns WHERE status IN ('queued', 'running')`;

/** The newest alone, so that it costs the same however many there are. */
const NEWEST_ENDS = 500;
/** Or less: sessions that expired are not among them, for there are too many to look through. */
const LONGEST_SPAN_SECONDS = 3_600;

const ANSWERS = `
  WITH newest AS (
    SELECT status, coalesce(error_code, 'no code') AS code FROM sessions
    WHERE status <> 'expired' AND open_turns = 0 AND last_activity_at > now() - make_interval(secs => $1)
    ORDER BY last_activity_at DESC LIMIT ${NEWEST_ENDS}),
  codes AS (SELECT code, count(*) AS count FROM newest WHERE status = 'failed' GROUP BY code)
  SELECT (SELECT count(*) FROM newest) AS ended, coalesce(sum(count), 0)::bigint AS failed,
    coalesce(json_agg(json_build_object('code', code, 'count', count) ORDER BY count DESC, code), '[]') AS codes
  FROM codes`;

const DELIVERIES = `
  SELECT count(*) AS pending, ${age("min(next_attempt_at)")} AS "overdueSeconds"
  FROM webhook_deliveries WHERE status = 'pending'`;

const MAILS = `SELECT count(*) AS waiting, ${age("min(created_at)")} AS "oldestSeconds" FROM mails`;

const STORAGE = `
  SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes, (SELECT count(*) FROM pending_uploads) AS "pendingUploads"
  FROM stored_files WHERE deleted_at IS NULL`;

const DATABASE = `
  SELECT pg_database_size(current_database()) AS bytes,
    (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
    current_setting('max_connections')::int AS "maxConnections", current_setting('server_version') AS version`;
