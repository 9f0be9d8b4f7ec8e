import { db } from "@/lib/db/pool";
import { log } from "@/lib/log";
import { eraseRows } from "@/lib/services/data-rights/erase-rows";
import { BytesRemoval } from "@/lib/services/files/remove-bytes";
import { removeFileBytes, removeFiles } from "@/lib/services/files/remove-files";
import { removeOldSessions } from "@/lib/services/retention/remove-old-sessions";
import { NOTES_KEPT_HOURS } from "@/lib/services/turns/parts/recall-notes";

/** What a sweep removed. */
export interface RetentionSweep {
  sessions: number;
  /** Files whose bytes went before their sessions. */
  files: number;
  calls: number;
  deliveries: number;
  /** Files with a time of their own, such as exports. */
  expiredFiles: number;
  /** Notes on parts of documents whose turns failed. */
  notes: number;
  /** Parts of the work that failed; the next sweep tries them again. */
  failures: number;
  /** Whether there may be more of a kind than one sweep removes. */
  isMore: boolean;
}

interface RetainingProject {
  projectId: string;
  sessionDays: number | null;
  fileDays: number | null;
  logDays: number | null;
}

/** Of each kind and project, so that one with a long past keeps no other waiting for long; what is left over, the next sweep takes. */
const MOST_PER_SWEEP = 20_000;

/**
 * Removes what projects keep for a time only and that is older: sessions by their last activity, files and logs by when
 * they came. Goes in batches of a transaction each; running twice at once does no harm. The ledger, usage and the audit
 * log are kept whatever the settings say.
 */
export async function sweepRetention(most = MOST_PER_SWEEP): Promise<RetentionSweep> {
  const removed = { sessions: 0, files: 0, calls: 0, deliveries: 0, expiredFiles: 0, notes: 0 };
  const sweep: RetentionSweep = { ...removed, failures: 0, isMore: false };
  const attempt = async (kind: keyof typeof removed, work: Promise<number>) => {
    try {
      const count = await work;
      sweep[kind] += count;
      if (count >= most) sweep.isMore = true;
    } catch (error) {
      sweep.failures += 1;
      log("warn", "Something that is kept for a time only could not be removed; it is tried again.", { kind }, error);
    }
  };
  await attempt("expiredFiles", removeFiles({ where: "f.expires_at <= now()", values: [] }, { most }));
  await attempt("notes", eraseRows({ table: "turn_parts", where: IS_LEFT_BEHIND, values: [NOTES_KEPT_HOURS], most }));
  // One for all projects: a store that says nothing for minutes would else hold up each of them anew, and the logs of the last.
  const removal = new BytesRemoval();
  for (const { projectId, sessionDays, fileDays, logDays } of await listRetainingProjects()) {
    if (sessionDays !== null) await attempt("sessions", removeOldSessions(projectId, sessionDays, most, removal));
    if (fileDays !== null) await attempt("files", removeOldFiles(projectId, fileDays, most, removal));
    if (logDays === null) continue;
    await attempt("calls", removeOldRows("call_logs", "true", projectId, logDays, most));
    // What is still to be sent is no log yet.
    await attempt("deliveries", removeOldRows("webhook_deliveries", "t.status <> 'pending'", projectId, logDays, most));
  }
  return sweep;
}

/** Nobody tried the turn again for as long. */
const IS_LEFT_BEHIND =
  "EXISTS (SELECT FROM turns u WHERE u.id = t.turn_id AND u.ended_at < now() - make_interval(hours => $1))";

async function listRetainingProjects(): Promise<RetainingProject[]> {
  const { rows } = await db().query<RetainingProject>(
    `SELECT id AS "projectId", session_retention_days AS "sessionDays", file_retention_days AS "fileDays",
       log_retention_days AS "logDays"
     FROM projects
     WHERE session_retention_days IS NOT NULL OR file_retention_days IS NOT NULL OR log_retention_days IS NOT NULL`,
  );
  return rows;
}

function removeOldFiles(projectId: string, days: number, most: number, removal: BytesRemoval): Promise<number> {
  const where = `f.project_id = $1 AND f.created_at < now() - make_interval(days => $2) AND f.expires_at IS NULL
    AND NOT EXISTS (SELECT FROM sessions s WHERE s.id = f.session_id AND s.open_turns > 0)`;
  return removeFileBytes({ where, values: [projectId, days] }, most, removal);
}

function removeOldRows(
  table: "call_logs" | "webhook_deliveries",
  condition: string,
  projectId: string,
  days: number,
  most: number,
): Promise<number> {
  const where = `t.project_id = $1 AND t.created_at < now() - make_interval(days => $2) AND ${condition}`;
  return eraseRows({ table, where, values: [projectId, days], most });
}
