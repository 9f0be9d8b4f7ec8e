import { db } from "@/lib/db/pool";
import { emailSpellings } from "@/lib/domain/email-address";
import { hashSecretToken, isSecretToken } from "@/lib/domain/secret-token";
import type { AttemptSubject } from "@/lib/services/people/throttle-attempts";

/**
 * Against what a try to sign in as somebody counts: their address, or the browser in which they signed in before and that nobody
 * signed out. Else whoever guesses on and on at an address, which takes a try in a quarter of an hour, would keep its person out
 * for good.
 * @param previousToken of the session that the browser had; it may have ended by itself
 */
export async function guessedAt(email: string, previousToken: string | null): Promise<AttemptSubject> {
  const address = { kind: "account", value: email } as const;
  if (previousToken === null || !isSecretToken(previousToken)) return address;
  const { rows } = await db().query<{ id: string }>({
    name: "find-own-browser",
    text: `SELECT s.id FROM user_sessions s JOIN users u ON u.id = s.user_id
           WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND u.email = ANY ($2::text[])`,
    values: [hashSecretToken(previousToken), emailSpellings(email)],
  });
  return rows[0] ? { kind: "browser", value: rows[0].id } : address;
}
