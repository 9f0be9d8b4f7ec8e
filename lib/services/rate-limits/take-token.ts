import { logDb } from "@/lib/db/pool";
import { type RateLimitState, rateLimitState } from "@/lib/domain/rate-limit";
import { processSingleton } from "@/lib/process-singleton";
import { together } from "@/lib/together";

/**
 * Takes one call from the bucket of a key (contract §2, rate limits). Exact across processes: the bucket is one row,
 * changed under its lock, by the database's clock.
 *
 * Calls of one key that arrive while a statement of it is under way go together in the next one, each as its own
 * token: a busy key costs one row change for many calls and never waits on itself.
 */
export function takeToken(keyId: string, requestsPerMinute: number): Promise<RateLimitState> {
  return processSingleton("take-token", () =>
    together({ work: serve, max: Number.POSITIVE_INFINITY, laneOf: (call: Call) => call.keyId }),
  )({ keyId, limit: Math.max(1, requestsPerMinute) });
}

/** The state of a key's bucket without taking from it, for answers that refuse a call before its limit is asked. */
export async function readBucket(keyId: string, requestsPerMinute: number): Promise<RateLimitState> {
  const limit = Math.max(1, requestsPerMinute);
  const { before } = await takeTokens(keyId, limit, 0);
  return rateLimitState(limit, before, true);
}

interface Call {
  keyId: string;
  limit: number;
}

/** Calls of one key, in the order in which they came. */
async function serve(calls: Call[]): Promise<RateLimitState[]> {
  // The newest call knows the newest limit.
  const { keyId, limit } = calls.at(-1) as Call;
  const { before, granted } = await takeTokens(keyId, limit, calls.length);
  return calls.map((_, index) => rateLimitState(limit, before - Math.min(index + 1, granted), index < granted));
}

interface Taken {
  /** Tokens in the bucket before. */
  before: number;
  granted: number;
}

/**
 * Buckets are written without waiting for the disk: the row's lock is then held for microseconds, and a crash of the
 * database gives back at most the tokens of its last half second.
 */
async function takeTokens(keyId: string, limit: number, count: number): Promise<Taken> {
  const taken = await updateBucket(keyId, limit, count);
  if (taken) return taken;
  await logDb().query({
    name: "make-bucket",
    text: `INSERT INTO rate_limit_buckets (key_id, tokens, updated_at)
           VALUES ($1, $2, date_trunc('milliseconds', clock_timestamp())) ON CONFLICT (key_id) DO NOTHING`,
    values: [keyId, limit],
  });
  const first = await updateBucket(keyId, limit, count);
  if (!first) throw new Error("A rate limit bucket vanished.");
  return first;
}

async function updateBucket(keyId: string, limit: number, count: number): Promise<Taken | undefined> {
  // The time is cut to what the column keeps, so that no part of a millisecond is ever refilled twice; and it never
  // runs backwards for a statement that waited for the lock.
  const { rows } = await logDb().query<Taken>({
    name: "take-tokens",
    text: `UPDATE rate_limit_buckets b
              SET tokens = s.before - least($3::int, floor(s.before)), updated_at = s.at
             FROM (SELECT key_id, greatest(updated_at, t.now) AS at,
                          least($2::float8, tokens + greatest(0, extract(epoch FROM t.now - updated_at)::float8) * $2 / 60)
                            AS before
                     FROM rate_limit_buckets,
                          (SELECT date_trunc('milliseconds', clock_timestamp()) AS now OFFSET 0) t
                    WHERE key_id = $1
                      FOR NO KEY UPDATE OF rate_limit_buckets) s
            WHERE b.key_id = s.key_id
        RETURNING s.before, least($3::int, floor(s.before))::int AS granted`,
    values: [keyId, limit, count],
  });
  return rows[0];
}
