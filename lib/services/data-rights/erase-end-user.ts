import { db, inTransaction, type Transaction } from "@/lib/db/pool";
import { dropAccountExports } from "@/lib/services/data-rights/account-export-state";
import { type ClaimedDataRequest, claimDataRequest } from "@/lib/services/data-rights/claim-data-request";
import { addCounts } from "@/lib/services/data-rights/data-request-row";
import { eraseFromBooks } from "@/lib/services/data-rights/erase-from-books";
import { eraseKeys, eraseKeysOfSessions } from "@/lib/services/data-rights/erase-keys";
import { eraseRows } from "@/lib/services/data-rights/erase-rows";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";
import { NAMELESS_CALL } from "@/lib/services/data-rights/personal-data-of-calls";
import { NEWER_SESSIONS, type PersonalTable } from "@/lib/services/data-rights/personal-table";
import { NAMELESS_FILE, removeFiles } from "@/lib/services/files/remove-files";
import { removeSessions } from "@/lib/services/sessions/remove-sessions";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";

const SESSIONS_AT_ONCE = 50;

/** An end user who goes on talking while being erased: the next attempt goes on, too. */
export class EndUserBusyError extends Error {}

/**
 * Erases what is kept of an end user in every table and store, or makes it anonymous where a sum has to stay. Each batch
 * is a transaction with its counts, so a crash at any point loses nothing and a further attempt goes on. Sessions that were
 * begun after the first attempt are of somebody who came anew: they and what hangs on them stay, at every attempt.
 * @returns false when there was nothing to do: the request has ended
 * @throws AppError SERVICE_UNAVAILABLE when a file store fails; EndUserBusyError; try again
 */
export async function eraseEndUser(dataRequestId: string): Promise<boolean> {
  const request = await eraseWhatIsThere(dataRequestId);
  // The end user is in them, too.
  if (request) await dropAccountExports(request.accountId);
  return request !== null;
}

async function eraseWhatIsThere(dataRequestId: string): Promise<ClaimedDataRequest | null> {
  const request = await claimDataRequest(dataRequestId, "erase");
  if (!request) return null;
  // What is found by way of the sessions has to go before them.
  await eraseTables(request, (table) => !BEHIND_SESSIONS.has(table));
  await eraseSessions(request);
  await eraseTables(request, (table) => BEHIND_SESSIONS.has(table));
  await keepNewcomer(request);
  await eraseFromBooks(request);
  // Last, for a store that fails ends it here: one file that cannot be removed would keep all that was said.
  try {
    await eraseFiles(request);
  } finally {
    // The end user's words are in those alone that began before: each try would take later ones along.
    await dropAccountExports(request.accountId, request.startedAt);
  }
  return request;
}

/**
 * Ends an erasure some time after `eraseEndUser`: erases what was being written meanwhile (a logged call, a profile), and
 * then forgets in all receipts whom they were about; they are found by the name, for its digest changes with ENCRYPTION_KEY.
 * An export that was asked for since has nobody to be about: it failed. A further erasure, of who came anew, goes on.
 */
export async function finishErasure(dataRequestId: string): Promise<void> {
  const request = await eraseWhatIsThere(dataRequestId);
  if (!request) return;
  await eraseLateCalls(request);
  // After all that was late; what is asked for from here on has none of it.
  await dropAccountExports(request.accountId);
  await db().query(
    `WITH done AS (
       UPDATE data_requests SET state = 'completed', completed_at = now(), subject = NULL
       WHERE id = $1 AND state = 'running'
       RETURNING project_id
     )
     UPDATE data_requests d SET subject = NULL, file_id = NULL,
       state = CASE WHEN d.state IN ('queued', 'running') THEN 'failed' ELSE d.state END,
       completed_at = coalesce(d.completed_at, now())
     FROM done
     WHERE d.project_id = done.project_id AND d.subject = $2 AND d.id <> $1
       AND NOT (d.kind = 'erase' AND d.state IN ('queued', 'running'))`,
    [dataRequestId, request.endUserId],
  );
}

/**
 * Calls that came while their session was being erased and named it alone (a stream, a download), or polled on when it was
 * gone. Nothing says any more whose it was, so calls on any session of the project that went meanwhile are made nameless, and
 * their keys go: a call on a session that is gone has nothing to be repeated for.
 */
async function eraseLateCalls(request: ClaimedDataRequest): Promise<void> {
  const where = `t.project_id = $1 AND t.logged_at >= $2
    AND t.end_user_id IS NULL AND t.session_id IS NOT NULL AND NOT EXISTS (SELECT FROM sessions s WHERE s.id = t.session_id)`;
  const values = [request.projectId, request.startedAt];
  const filter = { table: "call_logs", where, values, set: NAMELESS_CALL, returning: "t.request_id" };
  await eraseRows(filter, async (tx, rows, requestIds) => {
    await eraseKeys(tx, request, requestIds);
    await addCounts(tx, request.id, { call_logs: rows });
  });
}

/** While their sessions are there these may come back: a profile is learned from a turn. */
const BEHIND_SESSIONS = new Set(["memory_versions", "memory_profiles", "end_users"]);

async function eraseTables(request: ClaimedDataRequest, isDue: (table: string) => boolean): Promise<void> {
  for (const rule of PERSONAL_DATA.filter(({ table }) => isDue(table))) await eraseTable(request, rule);
}

async function eraseTable(request: ClaimedDataRequest, rule: PersonalTable): Promise<void> {
  const { id, projectId, endUserId, startedAt } = request;
  const { table, ofEndUser = [], erasedOnlyIf, erasure } = rule;
  if (typeof erasure === "string") return;
  for (const condition of ofEndUser) {
    const where = erasedOnlyIf ? `${condition} AND (${erasedOnlyIf})` : condition;
    const values = [projectId, endUserId, startedAt];
    const filter = {
      table,
      // Not every rule asks when; Postgres wants to see each value used.
      where: `${where} AND $3::timestamptz IS NOT NULL`,
      values,
      ...(erasure && { set: erasure.set }),
      ...(table === "call_logs" && { returning: "t.request_id" }),
    };
    await eraseRows(filter, async (tx, rows, requestIds) => {
      // A line may have come since the keys were looked for; nameless, it leads to none.
      if (table === "call_logs") await eraseKeys(tx, request, requestIds);
      await addCounts(tx, id, { [table]: rows });
    });
  }
}

/** Somebody who came anew while the row of before was being removed has one again. */
async function keepNewcomer({ projectId, endUserId }: ClaimedDataRequest): Promise<void> {
  await db().query(
    `INSERT INTO end_users (project_id, end_user_id)
     SELECT $1, $2 WHERE EXISTS (SELECT FROM sessions WHERE project_id = $1 AND end_user_id = $2)
     ON CONFLICT DO NOTHING`,
    [projectId, endUserId],
  );
}

/** From here on they are found by their end user alone. */
const LEAVE_FILES = `
  WITH held AS MATERIALIZED (SELECT id FROM stored_files WHERE session_id = ANY ($1::text[]) ORDER BY id FOR UPDATE)
  UPDATE stored_files f SET session_id = NULL, turn_id = NULL, end_user_id = $2, ${NAMELESS_FILE} FROM held WHERE f.id = held.id`;

/** Cancels what is running, then removes session by session, until none is left. */
async function eraseSessions(request: ClaimedDataRequest): Promise<void> {
  for (;;) {
    const { rows } = await db().query<{ id: string; openTurns: number }>(
      `SELECT id, open_turns AS "openTurns" FROM sessions WHERE project_id = $1 AND end_user_id = $2 AND created_at <= $3
       ORDER BY created_at DESC LIMIT ${SESSIONS_AT_ONCE}`,
      [request.projectId, request.endUserId, request.startedAt],
    );
    if (rows.length === 0) return;
    for (const { id, openTurns } of rows) if (openTurns > 0) await cancelTurns(id);
    const ids = rows.map(({ id }) => id);
    const removed = await inTransaction(async (tx) => {
      const counts = await removeSessions(tx, ids, async (removed) => {
        // A call may have come since the keys were looked for; nothing leads from it to them without its turn.
        await eraseKeysOfSessions(tx, request, removed);
        await tx.query(LEAVE_FILES, [removed, request.endUserId]);
      });
      await addCounts(tx, request.id, counts);
      return counts.sessions ?? 0;
    });
    if (removed === 0) throw new EndUserBusyError("New turns keep beginning in the sessions that are being erased.");
  }
}

/**
 * What sessions left, and exports, which may hold what is being erased whenever they are made. One that is still to be made, or
 * just is, fails, for its file would come after this.
 */
async function eraseFiles(request: ClaimedDataRequest): Promise<void> {
  const { projectId, endUserId, startedAt } = request;
  await db().query(
    `UPDATE data_requests SET state = 'failed', completed_at = now()
     WHERE project_id = $1 AND subject = $2 AND kind = 'export' AND state IN ('queued', 'running')`,
    [projectId, endUserId],
  );
  const where = `f.project_id = $1 AND f.end_user_id = $2
    AND (f.session_id IS NULL OR f.session_id NOT IN ${NEWER_SESSIONS})`;
  const filter = { where, values: [projectId, endUserId, startedAt] };
  await removeFiles(filter, { inBatch: countFiles(request) });
}

/** Counted as they go: a store that fails, or an interruption, would else leave those out of the receipt that are gone. */
function countFiles({ id }: ClaimedDataRequest) {
  return (tx: Transaction, files: number) => addCounts(tx, id, { files });
}
