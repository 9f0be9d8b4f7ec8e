import { db } from "@/lib/db/pool";
import { MAIL_DAYS } from "@/lib/services/mail/enqueue-mail";

/**
 * What is kept of people and no longer of use, with for how long it stays after it ended. Sessions stay a while, for people
 * who ask where they were signed in; a lock must have ended for longer than the longest one lasts.
 */
const SWEEPS = [
  "DELETE FROM user_sessions WHERE least(expires_at, coalesce(revoked_at, expires_at)) < now() - interval '30 days'",
  "DELETE FROM user_tokens WHERE expires_at < now() - interval '1 day'",
  "DELETE FROM sign_in_attempts WHERE window_start < now() - interval '1 day'",
  `DELETE FROM mails WHERE created_at < now() - interval '${MAIL_DAYS} days'`,
  "DELETE FROM invitations WHERE expires_at < now() - interval '90 days'",
];

/** Removes what is no longer of use; returns how many rows. Safe to run twice and beside itself. */
export async function sweepPeople(): Promise<number> {
  let removed = 0;
  for (const statement of SWEEPS) removed += (await db().query(statement)).rowCount ?? 0;
  return removed;
}
