import { db } from "@/lib/db/pool";
import { env } from "@/lib/env";

/**
 * Beyond the time that a request may take, for the statements around it on a busy machine: twice that time, between these.
 * Too short, and what is only slow is sent again; too long, and what a dead process left waits.
 */
const SLACK_SECONDS = { least: 5, most: 20 };

/** One attempt, as its row is found. */
export interface AttemptKey {
  deliveryId: string;
  round: number;
  /** 1, 2, ... */
  number: number;
}

/** An attempt that this process alone may make; `startedAt` marks it as its own. */
export interface ClaimedAttempt extends AttemptKey {
  startedAt: Date;
}

/** How long an attempt without an end counts as being made by someone; after that its maker is taken for dead. */
export function attemptLeaseSeconds(): number {
  const timeout = env().WEBHOOK_TIMEOUT_SECONDS;
  return timeout + Math.min(Math.max(2 * timeout, SLACK_SECONDS.least), SLACK_SECONDS.most);
}

/** The state of delivery and receiver is looked at again here, so that nothing goes to one that has just failed. */
const CLAIM_ATTEMPT = `
  INSERT INTO webhook_attempts AS a (delivery_id, round, number, started_at, request_headers)
  SELECT d.id, $2, $3, now(), $4::jsonb
  FROM webhook_deliveries d LEFT JOIN webhook_registrations r ON r.id = d.registration_id
  WHERE d.id = $1 AND d.round = $2 AND d.status = 'pending'
    AND (d.is_test OR d.registration_id IS NULL OR (r.active AND r.status = 'active'))
  ON CONFLICT (delivery_id, round, number) DO UPDATE
    SET started_at = EXCLUDED.started_at, request_headers = EXCLUDED.request_headers
    WHERE a.duration_ms IS NULL AND a.started_at < now() - make_interval(secs => $5)
  RETURNING started_at AS "startedAt"`;

/** Writes the attempt down before it is made; null when another process has it, made it, or it may not be made. */
export async function claimAttempt(key: AttemptKey, headers: Record<string, string>): Promise<ClaimedAttempt | null> {
  const { rows } = await db().query<{ startedAt: Date }>({
    name: "claim-attempt",
    text: CLAIM_ATTEMPT,
    values: [key.deliveryId, key.round, key.number, JSON.stringify(headers), attemptLeaseSeconds()],
  });
  const [row] = rows;
  return row ? { ...key, startedAt: row.startedAt } : null;
}
