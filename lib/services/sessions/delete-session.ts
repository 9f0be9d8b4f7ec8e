import { inTransaction } from "@/lib/db/pool";
import { AppError, notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import type { SessionKind } from "@/lib/domain/session-status";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import type { UploadPlace } from "@/lib/services/files/discard-upload";
import { releaseSessionFiles, removeReleased } from "@/lib/services/files/release-files";
import { waitBriefly } from "@/lib/services/files/wait-briefly";
import { removeSessions } from "@/lib/services/sessions/remove-sessions";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";

/** A call may add a turn between the cancel and the deletion; so often in a row, someone means to use the session. */
const MAX_TRIES = 3;

/**
 * Deletes a session for good: its turns, messages, events, deliveries and files with their bytes. Work that is queued or
 * running is canceled first. What the account was charged and the calls in the log stay; they hold no content.
 * @param actor the person, for the audit log; null for the API, whose calls are in the log of calls
 * @throws AppError NOT_FOUND, also when it is another project's or not such a one; NOT_READY when calls go on adding work to it
 */
export async function deleteSession(
  actor: Actor | null,
  scope: ProjectScope,
  sessionId: string,
  which: WhichSession = {},
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const released = await deleteIdle(actor, scope, sessionId, which);
    if (released) {
      // The session is gone whatever becomes of this: what cannot be removed now, the sweep removes.
      await waitBriefly(removeReleased(released));
      return;
    }
    await cancelTurns(sessionId);
  }
  throw new AppError("NOT_READY", "Calls keep adding work to this session. Stop them, then delete it.");
}

/** What the session has to be besides. */
interface WhichSession {
  /** Absent: anybody's. */
  endUserId?: string | undefined;
  /** Absent: either. */
  kind?: SessionKind;
}

interface SessionState {
  kind: string;
  status: string;
  turns: number;
  openTurns: number;
}

/** @returns its files, whose bytes are still there; null when a turn is open */
async function deleteIdle(
  actor: Actor | null,
  scope: ProjectScope,
  sessionId: string,
  which: WhichSession,
): Promise<UploadPlace[] | null> {
  return inTransaction(async (tx) => {
    const { rows } = await tx.query<SessionState>(
      `SELECT kind, status, turn_count AS turns, open_turns AS "openTurns" FROM sessions
       WHERE id = $1 AND project_id = $2 AND account_id = $3
         AND ($4::text IS NULL OR end_user_id = $4) AND ($5::text IS NULL OR kind = $5) FOR UPDATE`,
      [sessionId, scope.projectId, scope.accountId, which.endUserId ?? null, which.kind ?? null],
    );
    const state = rows[0];
    if (!state) throw notFound(which.kind === "process" ? "The processing" : "The session");
    if (state.openTurns > 0) return null;
    const files = await releaseSessionFiles(tx, [sessionId]);
    await removeSessions(tx, [sessionId]);
    const { kind, status, turns } = state;
    const before = { kind, status, turns, files: files.length };
    const { accountId } = scope;
    if (actor) await writeAudit(tx, actor, { accountId, action: "session.delete", subject: sessionId, before });
    return files;
  });
}
