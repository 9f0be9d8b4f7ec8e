import { databaseNow } from "@/lib/db/database-now";
import type { Prisma } from "@/lib/db/generated/client";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { hashSecretToken, isSecretToken, newSecretToken } from "@/lib/domain/secret-token";

/** Whoever sits in front of a signed-in browser. */
export interface PersonSession {
  sessionId: string;
  /** Since the person last gave a password or came through another sign-in service, by the database's clock. */
  confirmedSecondsAgo: number;
  user: {
    id: string;
    email: string;
    name: string | null;
    isStaff: boolean;
    hasTotp: boolean;
    hasPassword: boolean;
  };
}

/** Where a session is opened. */
export interface BrowserFacts {
  ip: string | null;
  userAgent: string | null;
}

/** A session's whole life, and how long it may lie idle. Those of staff are short. */
const LIFETIMES = {
  person: { maxSeconds: 30 * 86_400, idleSeconds: 7 * 86_400 },
  staff: { maxSeconds: 12 * 3_600, idleSeconds: 3_600 },
};
export const MAX_SESSION_SECONDS = LIFETIMES.person.maxSeconds;
const MAX_USER_AGENT_CHARACTERS = 400;
/** The last sight is kept to the minute, so that reading a page seldom writes. */
const SEEN_INTERVAL_SECONDS = 60;

/** Opens a session in the caller's transaction; the token exists nowhere else. */
export async function openPersonSession(
  tx: Prisma.TransactionClient,
  person: { userId: string; isStaff: boolean },
  { ip, userAgent }: BrowserFacts,
): Promise<{ sessionId: string; token: string }> {
  const token = newSecretToken();
  const { maxSeconds } = person.isStaff ? LIFETIMES.staff : LIFETIMES.person;
  const sessionId = newId("userSession");
  const now = await databaseNow(tx);
  await tx.userSession.create({
    data: {
      id: sessionId,
      userId: person.userId,
      tokenHash: hashSecretToken(token),
      ip,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null,
      createdAt: now,
      lastSeenAt: now,
      confirmedAt: now,
      expiresAt: new Date(now.getTime() + maxSeconds * 1_000),
    },
  });
  await tx.user.update({ where: { id: person.userId }, data: { lastSignInAt: now } });
  return { sessionId, token };
}

/**
 * Which sessions of a person still open pages: with those that lie idle too long nobody is signed in any more.
 * @param now by the database's clock, as pages ask
 */
export function openSessionsOf(userId: string, now: Date): Prisma.UserSessionWhereInput {
  const nowMs = now.getTime();
  const seenWithin = ({ idleSeconds }: { idleSeconds: number }) => ({ gt: new Date(nowMs - idleSeconds * 1_000) });
  return {
    userId,
    revokedAt: null,
    expiresAt: { gt: now },
    OR: [
      { user: { isStaff: false }, lastSeenAt: seenWithin(LIFETIMES.person) },
      { user: { isStaff: true }, lastSeenAt: seenWithin(LIFETIMES.staff) },
    ],
  };
}

interface SessionRow {
  id: string;
  confirmed_seconds_ago: number;
  user_id: string;
  email: string;
  name: string | null;
  is_staff: boolean;
  has_totp: boolean;
  has_password: boolean;
  is_seen_long_ago: boolean;
}

/**
 * The session of a token; null when there is none, or when it ended, lay idle, was revoked, or its person was disabled.
 * Asks the database each time, so that revoking takes effect at once in every process.
 */
export async function findPersonSession(token: string): Promise<PersonSession | null> {
  if (!isSecretToken(token)) return null;
  const { rows } = await db().query<SessionRow>({
    name: "find-person-session",
    text: `SELECT s.id, extract(epoch FROM now() - s.confirmed_at)::float8 AS confirmed_seconds_ago, u.id AS user_id, u.email, u.name, u.is_staff,
                  u.totp_secret_encrypted IS NOT NULL AS has_totp, u.password_hash IS NOT NULL AS has_password,
                  s.last_seen_at < now() - make_interval(secs => ${SEEN_INTERVAL_SECONDS}) AS is_seen_long_ago
             FROM user_sessions s JOIN users u ON u.id = s.user_id
            WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL
              AND s.last_seen_at > now() - make_interval(secs => CASE WHEN u.is_staff
                    THEN ${LIFETIMES.staff.idleSeconds} ELSE ${LIFETIMES.person.idleSeconds} END)`,
    values: [hashSecretToken(token)],
  });
  const row = rows[0];
  if (!row) return null;
  if (row.is_seen_long_ago) {
    await db().query({
      name: "see-person-session",
      text: "UPDATE user_sessions SET last_seen_at = now() WHERE id = $1",
      values: [row.id],
    });
  }
  const { id, email, name } = { id: row.user_id, email: row.email, name: row.name };
  return {
    sessionId: row.id,
    confirmedSecondsAgo: row.confirmed_seconds_ago,
    user: { id, email, name, isStaff: row.is_staff, hasTotp: row.has_totp, hasPassword: row.has_password },
  };
}
