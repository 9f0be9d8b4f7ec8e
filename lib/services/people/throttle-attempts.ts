import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import type { QueryConfig } from "pg";
import type { Prisma } from "@/lib/db/generated/client";
import { db } from "@/lib/db/pool";
import { countWords } from "@/lib/domain/count-words";
import { spellEmail } from "@/lib/domain/email-address";
import { AppError } from "@/lib/domain/errors";
import { log } from "@/lib/log";

/**
 * How often somebody may try. `free` tries cost nothing; each further one locks for twice as long as the one before,
 * from `firstLockSeconds` up to `maxLockSeconds`. After `forgetSeconds` without a try all is forgotten.
 */
interface AttemptLimit {
  free: number;
  firstLockSeconds: number;
  maxLockSeconds: number;
  forgetSeconds: number;
}

const LIMITS = {
  /** Guesses at one person's password or code. */
  account: { free: 5, firstLockSeconds: 15, maxLockSeconds: 900, forgetSeconds: 3_600 },
  /** The same by a browser in which that person signed in before, and of whoever is signed in already: others' guesses keep neither out. */
  browser: { free: 5, firstLockSeconds: 15, maxLockSeconds: 900, forgetSeconds: 3_600 },
  proof: { free: 5, firstLockSeconds: 15, maxLockSeconds: 900, forgetSeconds: 3_600 },
  /** Wrong guesses from one address at whomever; more, for many people share one. */
  address: { free: 30, firstLockSeconds: 15, maxLockSeconds: 900, forgetSeconds: 3_600 },
  /** New accounts, and mails asked for, from one address. */
  request: { free: 10, firstLockSeconds: 60, maxLockSeconds: 3_600, forgetSeconds: 3_600 },
  /** People whom an account invites: anybody may sign up, and a mail of ours goes wherever they like. */
  invitation: { free: 50, firstLockSeconds: 60, maxLockSeconds: 3_600, forgetSeconds: 3_600 },
  /** Mails to one person. */
  mail: { free: 3, firstLockSeconds: 60, maxLockSeconds: 3_600, forgetSeconds: 3_600 },
} as const satisfies Record<string, AttemptLimit>;

/** The longest lock of any kind. */
export const LONGEST_LOCK_SECONDS = Math.max(...Object.values(LIMITS).map(({ maxLockSeconds }) => maxLockSeconds));

/** Whose tries are counted: a kind of limit and what it is about (an e-mail address, an IP address, a session, a person). */
export interface AttemptSubject {
  kind: keyof typeof LIMITS;
  /** Null (an unknown address) is not limited. */
  value: string | null;
}

/** A try that was counted, for `giveAttemptBack`. */
export interface CountedAttempt {
  subject: AttemptSubject;
  at: Date;
  /** When the subject's try before it was counted; null: there was none. */
  previousAt: Date | null;
}

/**
 * Counts a try before it is made, so that tries at the same time are all counted.
 * @returns null for subjects that are not limited
 * @throws AppError RATE_LIMITED while the subject is locked
 */
export async function countAttempt(subject: AttemptSubject): Promise<CountedAttempt | null> {
  if (subject.value === null) return null;
  const { free, firstLockSeconds, maxLockSeconds, forgetSeconds } = LIMITS[subject.kind];
  const { rows } = await db().query<Omit<CountedAttempt, "subject">>({
    name: "count-attempt",
    text: `WITH previous AS (SELECT window_start FROM sign_in_attempts WHERE subject = $1)
           INSERT INTO sign_in_attempts AS a (subject, failures, window_start, locked_until)
           VALUES ($1, 1, now(), NULL)
           ON CONFLICT (subject) DO UPDATE SET
             failures = CASE WHEN a.window_start < now() - make_interval(secs => $5) THEN 1 ELSE a.failures + 1 END,
             window_start = now(),
             locked_until = CASE WHEN a.window_start < now() - make_interval(secs => $5) OR a.failures + 1 < $2 THEN NULL
               ELSE now() + make_interval(secs => least($4, $3 * power(2, least(a.failures + 1 - $2, 20)))) END
           WHERE a.locked_until IS NULL OR a.locked_until <= now()
           RETURNING window_start AS at, (SELECT window_start FROM previous) AS "previousAt"`,
    values: [keyOf(subject), free, firstLockSeconds, maxLockSeconds, forgetSeconds],
  });
  const [counted] = rows;
  if (!counted) throw tooManyAttempts((await lockedSeconds(subject)) ?? 1);
  return { subject, ...counted };
}

async function lockedSeconds(subject: AttemptSubject): Promise<number | undefined> {
  const { rows } = await db().query<{ seconds: number }>({
    name: "read-lock",
    text: `SELECT greatest(1, ceil(extract(epoch FROM locked_until - now())))::int AS seconds FROM sign_in_attempts
           WHERE subject = $1 AND locked_until > now()`,
    values: [keyOf(subject)],
  });
  return rows[0]?.seconds;
}

/**
 * Takes one try off again: it was counted before it was made, and was no guess. With it goes the lock that it set, and the
 * guesses before it are forgotten when they would have been without it. Where it fails, the try stays counted.
 */
export async function giveAttemptBack(counted: CountedAttempt | null): Promise<void> {
  if (counted === null) return;
  const { subject, at, previousAt } = counted;
  await takeOff({
    name: "give-attempt-back",
    text: `UPDATE sign_in_attempts SET failures = greatest(failures - 1, 0),
             window_start = CASE WHEN window_start = $3::timestamptz THEN coalesce($4::timestamptz, window_start)
               ELSE window_start END,
             locked_until = CASE WHEN window_start = $3::timestamptz OR failures - 1 < $2 THEN NULL ELSE locked_until END
           WHERE subject = $1`,
    values: [keyOf(subject), LIMITS[subject.kind].free, at, previousAt],
  });
}

/** Forgets the tries of a subject: the right one came. Where it fails, they stay counted. */
export async function forgetAttempts(subject: AttemptSubject): Promise<void> {
  if (subject.value === null) return;
  await takeOff({
    name: "forget-attempts",
    text: "DELETE FROM sign_in_attempts WHERE subject = $1",
    values: [keyOf(subject)],
  });
}

/** It comes last, after what was done: to fail for it would keep from people what they are shown once. In an hour it is forgotten anyhow. */
async function takeOff(statement: QueryConfig): Promise<void> {
  await db()
    .query(statement)
    .catch((error: unknown) => log("warn", "Tries that were counted were not taken off again.", {}, error));
}

/**
 * Counts what is done in any case, in the caller's transaction: what is rolled back is not counted, and of two at once the
 * second waits for the first. Call it last there.
 * @returns how often it was done within an hour, which begins with the first time; with this time
 */
export async function countInHour(tx: Prisma.TransactionClient, value: string): Promise<number> {
  // One that begins later than now is of a clock that was set back since; of two at once by some moments.
  const [row] = await tx.$queryRaw<{ failures: number }[]>`
    INSERT INTO sign_in_attempts AS a (subject, failures, window_start) VALUES (${hashOf("hour", value)}, 1, now())
    ON CONFLICT (subject) DO UPDATE SET (failures, window_start) = (
      SELECT CASE WHEN goes_on THEN a.failures + 1 ELSE 1 END, CASE WHEN goes_on THEN a.window_start ELSE now() END
      FROM (SELECT a.window_start BETWEEN now() - interval '1 hour' AND now() + interval '1 minute' AS goes_on) hour)
    RETURNING failures`;
  return row?.failures ?? 1;
}

/**
 * The subject is kept as a hash: whoever reads the table learns no addresses of people that have no account here. Of an IPv6
 * address counts the network: whoever has one has all of the 2^64 addresses in it.
 */
function keyOf({ kind, value }: AttemptSubject): string {
  return hashOf(kind, kind === "account" ? spellEmail(value ?? "") : oneOfNetwork(value ?? ""));
}

function hashOf(kind: string, subject: string): string {
  return `${kind}:${createHash("sha256").update(subject, "utf8").digest("base64url")}`;
}

function oneOfNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}

function tooManyAttempts(seconds: number): AppError {
  const wait = seconds < 90 ? countWords(seconds, "second") : countWords(Math.ceil(seconds / 60), "minute");
  return new AppError("RATE_LIMITED", `Too many tries. Wait ${wait}, then try again.`, { retryAfterSeconds: seconds });
}
