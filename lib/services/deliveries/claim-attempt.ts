import { isRefusedStatement } from "@/lib/db/failures";
import { hotDb } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";
import { together } from "@/lib/together";

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

/**
 * The state of deliveries and receivers is looked at again here, so that nothing goes to one that has just failed.
 * `pending` is a parameter: as a word of the statement it would let the kept plan, made while there is little, read the index
 * of all that is pending instead of looking these up. Deliveries are locked against their deletion first: one that is being
 * deleted, with its session or end user, is waited for, and then not there.
 */
const CLAIM_ATTEMPTS = `
  INSERT INTO webhook_attempts AS a (delivery_id, round, number, started_at, request_headers)
  SELECT d.id, k.round, k.number, now(), k.headers
  FROM unnest($1::text[], $2::int[], $3::int[], $4::jsonb[]) AS k (delivery_id, round, number, headers)
  JOIN webhook_deliveries d ON d.id = k.delivery_id AND d.round = k.round AND d.status = $6
  LEFT JOIN webhook_registrations r ON r.id = d.registration_id
  WHERE d.is_test OR d.registration_id IS NULL OR (r.active AND r.status = 'active')
  ORDER BY d.id FOR KEY SHARE OF d
  ON CONFLICT (delivery_id, round, number) DO UPDATE
    SET started_at = EXCLUDED.started_at, request_headers = EXCLUDED.request_headers
    WHERE a.duration_ms IS NULL AND a.started_at < now() - make_interval(secs => $5)
  RETURNING delivery_id AS "deliveryId", round, number, started_at AS "startedAt"`;

const MAX_TOGETHER = 50;

interface Claim {
  key: AttemptKey;
  headers: Record<string, string>;
}

/** Writes the attempt down before it is made; null when another process has it, made it, or it may not be made. */
export function claimAttempt(key: AttemptKey, headers: Record<string, string>): Promise<ClaimedAttempt | null> {
  return processSingleton("claim-attempts-together", () =>
    // The same attempt twice is refused by the statement: then each is claimed by itself, and the first has it.
    together({ work: claimAttempts, max: MAX_TOGETHER, isRepeatable: isRefusedStatement }),
  )({ key, headers });
}

async function claimAttempts(claims: Claim[]): Promise<(ClaimedAttempt | null)[]> {
  const { rows } = await hotDb().query<ClaimedAttempt>({
    name: "claim-attempts",
    text: CLAIM_ATTEMPTS,
    values: [
      claims.map(({ key }) => key.deliveryId),
      claims.map(({ key }) => key.round),
      claims.map(({ key }) => key.number),
      claims.map(({ headers }) => JSON.stringify(headers)),
      attemptLeaseSeconds(),
      "pending",
    ],
  });
  const nameOf = ({ deliveryId, round, number }: AttemptKey) => `${deliveryId} ${round} ${number}`;
  const claimed = new Map(rows.map((row) => [nameOf(row), row]));
  return claims.map(({ key }) => claimed.get(nameOf(key)) ?? null);
}
