import { logDb } from "@/lib/db/pool";
import { type RateLimitState, rateLimitState } from "@/lib/domain/rate-limit";
import { processSingleton } from "@/lib/process-singleton";
import { together } from "@/lib/together";

/**
 * Takes one call from the bucket of a key (contract §2, rate limits). Exact across processes: the bucket is one row,
 * changed under its lock, by the database's clock.
 *
 * Calls that arrive while a statement is under way go together in the next one, each as its own token: a busy key costs
 * one row change for many calls and never waits on itself. A key that has a bucket already is served by the statement that
 * looks it up (lib/services/api-keys/find-keys.ts).
 */
export function takeToken(keyId: string, requestsPerMinute: number): Promise<RateLimitState> {
  return processSingleton("take-token", () => together({ work: serve, max: Number.POSITIVE_INFINITY }))({
    keyId,
    limit: Math.max(1, requestsPerMinute),
  });
}

/** The state of a key's bucket without taking from it, for answers that refuse a call before its limit is asked. */
export async function readBucket(keyId: string, requestsPerMinute: number): Promise<RateLimitState> {
  const limit = Math.max(1, requestsPerMinute);
  const [taken] = await takeTokens([{ keyId, limit, count: 0 }]);
  return rateLimitState(limit, taken?.before ?? limit, true);
}

interface Call {
  keyId: string;
  limit: number;
}

/** Each key's calls get its tokens in the order in which they came. */
async function serve(calls: Call[]): Promise<RateLimitState[]> {
  const wishes = new Map<string, Wish>();
  // The newest call of a key knows its newest limit.
  for (const { keyId, limit } of calls) wishes.set(keyId, { keyId, limit, count: (wishes.get(keyId)?.count ?? 0) + 1 });
  const taken = new Map((await takeTokens([...wishes.values()])).map((each) => [each.keyId, handOut(each)]));
  return calls.map(({ keyId }) => {
    const next = taken.get(keyId);
    if (!next) throw new Error("A rate limit bucket vanished.");
    return next();
  });
}

/** What was taken from a key's bucket at once: what it held before, and how many of the wanted tokens it gave. */
export interface TakenTokens {
  limit: number;
  before: number;
  granted: number;
}

/** Gives what was taken at once to the calls that wanted it, one after the other. */
export function handOut({ limit, before, granted }: TakenTokens): () => RateLimitState {
  let served = 0;
  return () => {
    served += 1;
    return rateLimitState(limit, before - Math.min(served, granted), served <= granted);
  };
}

interface Wish extends Call {
  /** How many tokens. */
  count: number;
}

type Taken = Wish & TakenTokens;

/**
 * Buckets are written without waiting for the disk: the row's lock is then held for microseconds, and a crash of the
 * database gives back at most the tokens of its last half second.
 */
async function takeTokens(wishes: Wish[]): Promise<Taken[]> {
  const taken = await updateBuckets(wishes);
  if (taken.length === wishes.length) return taken;
  const known = new Set(taken.map(({ keyId }) => keyId));
  const fresh = wishes.filter(({ keyId }) => !known.has(keyId));
  await logDb().query({
    name: "make-buckets",
    text: `INSERT INTO rate_limit_buckets (key_id, tokens, updated_at)
           SELECT key_id, tokens, date_trunc('milliseconds', clock_timestamp())
             FROM unnest($1::text[], $2::float8[]) AS n (key_id, tokens) ORDER BY key_id
           ON CONFLICT (key_id) DO NOTHING`,
    values: [fresh.map(({ keyId }) => keyId), fresh.map(({ limit }) => limit)],
  });
  return [...taken, ...(await updateBuckets(fresh))];
}

/**
 * Parts of a `WITH` behind one named `wish` (key_id, per_minute, wanted), a row for each key: `taken` has what each key's bucket
 * held before, and how many of the wanted tokens it gave. Keys without a bucket are left out.
 *
 * The time is cut to what the column keeps, so that no part of a millisecond is ever refilled twice; and it never runs
 * backwards for a statement that waited for a lock, nor where a clock is set back a little. A bucket from further ahead than it
 * takes to fill comes back to now: until then, which may be years away, its key would be refused. Rows are locked in order, so
 * that processes wait in order too.
 */
export const TAKEN_TOKENS = `
  held AS MATERIALIZED (
    SELECT b.key_id, b.tokens, b.updated_at, w.wanted, w.per_minute
      FROM wish w JOIN rate_limit_buckets b ON b.key_id = w.key_id
     ORDER BY b.key_id
       FOR NO KEY UPDATE OF b
  ), filled AS (
    SELECT key_id, wanted, per_minute,
           CASE WHEN updated_at > t.now + interval '1 minute' THEN t.now ELSE greatest(updated_at, t.now) END AS at,
           least(per_minute, tokens + greatest(0, extract(epoch FROM t.now - updated_at)::float8) * per_minute / 60) AS before
      FROM held, (SELECT date_trunc('milliseconds', clock_timestamp()) AS now
                    FROM (SELECT count(*) FROM held) waited OFFSET 0) t
  ), taken AS (
    UPDATE rate_limit_buckets b SET tokens = f.before - least(f.wanted, floor(f.before)), updated_at = f.at
      FROM filled f WHERE b.key_id = f.key_id
    RETURNING b.key_id, f.per_minute, f.before, least(f.wanted, floor(f.before))::int AS granted
  )`;

async function updateBuckets(wishes: Wish[]): Promise<Taken[]> {
  const { rows } = await logDb().query<Omit<Taken, "count">>({
    name: "take-tokens",
    text: `WITH wish AS (
             SELECT * FROM unnest($1::text[], $2::float8[], $3::int[]) AS w (key_id, per_minute, wanted)
           ), ${TAKEN_TOKENS}
           SELECT key_id AS "keyId", per_minute AS "limit", before, granted FROM taken`,
    values: [wishes.map(({ keyId }) => keyId), wishes.map(({ limit }) => limit), wishes.map(({ count }) => count)],
  });
  const counts = new Map(wishes.map(({ keyId, count }) => [keyId, count]));
  return rows.map((row) => ({ ...row, count: counts.get(row.keyId) ?? 0 }));
}
