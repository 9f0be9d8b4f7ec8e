import { UPLOAD_BEGIN_MINUTES } from "@/lib/domain/limits";
import { ABANDONED_UPLOAD_MINUTES } from "@/lib/services/files/sweep-uploads";

/**
 * A client's token for Vercel Blob cannot be taken back: until its end it may put bytes where a file was deleted, which then
 * has no row (docs/decisions/0022). A removed file that is young enough for that leaves a row in `pending_uploads` without a
 * project, by which nobody can use it, and the sweep removes what is there once more.
 */

/** For the end of the token, and for bytes that were on their way by then. */
const LATE_MINUTES = UPLOAD_BEGIN_MINUTES + 45;

/** A condition on a row of `stored_files`. */
export const MAY_COME_AGAIN = `store = 'blob' AND created_at > now() - interval '${LATE_MINUTES} minutes'`;

/** For `started_at`: when that time is over, the sweep takes the upload for abandoned. */
export const REMOVED_AGAIN_AT = `now() - interval '${ABANDONED_UPLOAD_MINUTES - LATE_MINUTES} minutes'`;

/** A request that nobody waits for any more goes on in a store for less. */
const UNSAID_MINUTES = 15;

/** For `started_at` of an upload whose store did not say what became of it: from then on the sweep takes it for abandoned. */
export const UNSAID_AGAIN_AT = `now() - interval '${ABANDONED_UPLOAD_MINUTES - UNSAID_MINUTES} minutes'`;
