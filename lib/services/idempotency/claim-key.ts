import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseAway } from "@/lib/db/failures";
import { db } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import type { IdempotencyClaim, KeyedCall } from "@/lib/services/idempotency/idempotency-claim";
import { releaseKey } from "@/lib/services/idempotency/release-key";
import { OtherKeyError, openSecret } from "@/lib/services/people/sealed-secret";

/** What an earlier call with the same key was answered, to the byte. */
export interface KeptResponse {
  status: number;
  body: string;
}

export interface ClaimOptions {
  /** How long to wait for a call with the same key that is running. */
  waitMs?: number;
  leaseSeconds?: number;
}

const WAIT_MS = 2_000;
const POLL_MS = 25;
/** Keys are taken when the body is read: what comes after takes milliseconds, unless its process dies. */
export const KEY_LEASE_SECONDS = 60;
export const KEY_KEPT_HOURS = 24;

/**
 * Takes an idempotency key for a call, or finds what the call was answered before (contract §2). Of calls at once one
 * gets the key; the others wait a little for its answer. A key whose call died is free again when its lease runs out.
 * @throws AppError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS; INTERNAL_ERROR where no key opens the answer any more
 */
export async function claimKey(
  { projectId }: Pick<Principal, "projectId">,
  call: KeyedCall,
  { waitMs = WAIT_MS, leaseSeconds = KEY_LEASE_SECONDS }: ClaimOptions = {},
): Promise<{ claim: IdempotencyClaim } | { kept: KeptResponse }> {
  const claim = { projectId, ...call };
  const deadline = performance.now() + waitMs;
  for (;;) {
    if (await insertKey(claim, leaseSeconds).catch((error) => giveUp(claim, error))) return { claim };
    let row = await readKey(claim);
    while (row?.state === "running" && !row.isFree && isSame(row, call) && performance.now() < deadline) {
      row = await lookAgain(claim);
    }
    // Given back meanwhile, or its lease ran out: whoever inserts first has it.
    if (!row || row.isFree) continue;
    if (!isSame(row, call)) throw keyReused();
    if (row.state === "running") throw inProgress();
    return { kept: { status: row.status ?? call.status, body: openKept(row.response ?? "") } };
  }
}

/** What another key sealed is no reason to start the work twice; sending the call again for a day would not open it. */
function openKept(sealed: string): string {
  try {
    return openSecret(sealed);
  } catch (cause) {
    if (!(cause instanceof OtherKeyError)) throw cause;
    throw new AppError(
      "INTERNAL_ERROR",
      "A call with this Idempotency-Key was accepted before, but what it was answered can no longer be read. Nothing was started again: look for what it made in the lists.",
      { param: "Idempotency-Key", isRetryable: false, cause },
    );
  }
}

/** The key may have been taken although the connection broke before it said so: nobody would give it back. */
function giveUp(claim: IdempotencyClaim, error: unknown): never {
  if (isDatabaseAway(error)) void releaseKey(claim).catch(() => {});
  throw error;
}

interface KeyRow {
  requestHash: Buffer;
  state: "running" | "done";
  status: number | null;
  response: string | null;
  isFree: boolean;
}

const IS_FREE = "(k.expires_at <= now() OR k.state = 'running' AND k.locked_until <= now())";

/**
 * A key that is not free is left alone: its call may hold the row, in the transaction that keeps its answer, and whoever waited
 * for that one would wait for as long as it stands, with a connection of the pool.
 */
async function insertKey(claim: IdempotencyClaim, leaseSeconds: number): Promise<boolean> {
  const { rowCount } = await db().query({
    name: "claim-idempotency-key",
    text: `INSERT INTO idempotency_keys AS k (project_id, key, request_hash, owner, end_user_id, locked_until, expires_at)
           SELECT $1::text, $2::text, $3::bytea, $4::text, $6::text, now() + make_interval(secs => $5),
                  now() + interval '${KEY_KEPT_HOURS} hours'
           WHERE NOT EXISTS (SELECT FROM idempotency_keys k WHERE project_id = $1 AND key = $2 AND NOT ${IS_FREE})
           ON CONFLICT (project_id, key) DO UPDATE SET request_hash = excluded.request_hash, owner = excluded.owner,
             end_user_id = excluded.end_user_id, state = 'running', status = NULL, response = NULL, created_at = now(),
             locked_until = excluded.locked_until, expires_at = excluded.expires_at
           WHERE ${IS_FREE}`,
    values: [claim.projectId, claim.key, claim.requestHash, claim.requestId, leaseSeconds, claim.endUserId],
  });
  return rowCount === 1;
}

async function readKey({ projectId, key }: IdempotencyClaim): Promise<KeyRow | undefined> {
  const { rows } = await db().query<KeyRow>({
    name: "read-idempotency-key",
    text: `SELECT request_hash AS "requestHash", state, status, response #>> '{}' AS response, ${IS_FREE} AS "isFree"
           FROM idempotency_keys k WHERE project_id = $1 AND key = $2`,
    values: [projectId, key],
  });
  return rows[0];
}

const looks = new Map<string, Promise<KeyRow | undefined>>();

/** Reads the key after a while, once for all calls of this process that wait for it. */
function lookAgain(claim: IdempotencyClaim): Promise<KeyRow | undefined> {
  const id = `${claim.projectId} ${claim.key}`;
  const underWay = looks.get(id);
  if (underWay) return underWay;
  const look = delay(POLL_MS)
    .then(() => readKey(claim))
    .finally(() => looks.delete(id));
  looks.set(id, look);
  return look;
}

function isSame(row: KeyRow, { requestHash }: KeyedCall): boolean {
  return row.requestHash.equals(requestHash);
}

function keyReused(): AppError {
  return new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    "The Idempotency-Key was used with another request. Send this one with a key of its own.",
    { param: "Idempotency-Key" },
  );
}

function inProgress(): AppError {
  return new AppError(
    "IDEMPOTENCY_IN_PROGRESS",
    "The call with this Idempotency-Key is still running. Send it again in a moment.",
    { param: "Idempotency-Key", retryAfterSeconds: 1 },
  );
}
