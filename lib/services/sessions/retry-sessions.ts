import type { RetriedSessions, RetryFilters } from "@/lib/contracts/sessions";
import type { Transaction } from "@/lib/db/pool";
import { AppError, type ErrorCode } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import type { TurnErrorCode } from "@/lib/domain/turn-errors";
import { type Actor, type AuditLine, writeAudit } from "@/lib/services/accounts/record-audit";
import { filterDetails } from "@/lib/services/audit/record-csv-export";
import { sessionPages } from "@/lib/services/sessions/find-sessions";
import { assertMayGoOn } from "@/lib/services/sessions/may-go-on";
import { retrySession } from "@/lib/services/sessions/retry-session";
import { auditedFilters } from "@/lib/services/sessions/search-sessions";

/** How much of a list one act tries again; the next one goes on, for what runs again has failed no longer. */
export interface RetryBounds {
  /** That are begun. */
  sessions: number;
  /** No further session is begun after so long. */
  milliseconds: number;
}

const BOUNDS: RetryBounds = { sessions: 1_000, milliseconds: 20_000 };
const SESSIONS_AT_ONCE = 100;

/** What holds for every further session, too. */
const ENDS_ALL: readonly ErrorCode[] = ["INSUFFICIENT_CREDITS", "TOKEN_LIMIT_REACHED", "PROJECT_LIMIT_REACHED"];

/** Its next try would fail as well, and be told of once more; unless what reads it has changed, which whoever asks for it knows. */
const UNREADABLE: TurnErrorCode = "UNSUPPORTED_FILE";

/**
 * Tries the sessions again that the filters let through, newest first, but for those with a file that cannot be read. One that cannot be tried again does not hold up the others.
 * It ends at once where the account is suspended, the project switched off or the person removed meanwhile.
 * @param actor for the audit log: a line for each page with the first of it that is begun, with the filters and how many are tried
 * @throws AppError of the first session where that holds for all: nothing was begun
 */
export async function retrySessions(
  principal: Principal,
  filters: RetryFilters,
  actor: Actor,
  bounds: RetryBounds = BOUNDS,
): Promise<RetriedSessions> {
  const endMs = performance.now() + bounds.milliseconds;
  const done: RetriedSessions = { started: 0, refused: 0, unreadable: 0, why: null, hasMore: false };
  for await (const listed of sessionPages(principal, filters, SESSIONS_AT_ONCE)) {
    const page = filters.errorCode ? listed : listed.filter(({ errorCode }) => errorCode !== UNREADABLE);
    done.unreadable += listed.length - page.length;
    const before = done.started;
    const tried = Math.min(page.length, bounds.sessions - before);
    const record = (tx: Transaction) => writeAudit(tx, actor, lineOf(principal, filters, tried));
    for (const { id } of page) {
      if (done.started === bounds.sessions || isLate()) return { ...done, hasMore: true };
      const stop = await refusalOf(() => assertMayGoOn(principal, actor, "sessions.retry-all"));
      if (stop) return stopAt(stop, done);
      const also = done.started === before ? record : undefined;
      const refusal = await refusalOf(() => retrySession(principal, id, { also }));
      if (!refusal) done.started += 1;
      else if (ENDS_ALL.includes(refusal.code)) return stopAt(refusal, done);
      else {
        done.refused += 1;
        done.why ??= refusal.message;
      }
    }
    // A page of a search for words may be empty.
    if (isLate()) return { ...done, hasMore: true };
  }
  return done;

  function isLate(): boolean {
    return performance.now() > endMs;
  }
}

async function refusalOf(act: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function stopAt(refusal: AppError, done: RetriedSessions): RetriedSessions {
  if (done.started === 0) throw refusal;
  return { ...done, why: refusal.message, hasMore: true };
}

function lineOf({ accountId, projectId }: Principal, filters: RetryFilters, sessions: number): AuditLine {
  return {
    accountId,
    action: "session.retry-failed",
    subject: projectId,
    after: { ...filterDetails(auditedFilters(filters)), sessions },
  };
}
