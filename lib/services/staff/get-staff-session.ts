import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import type { StaffReceipt, StaffSession, StaffTurn } from "@/lib/contracts/staff-sessions";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";

/** Of a long session the newest. */
const MOST_TURNS = 50;

type SessionRow = Omit<StaffSession, "turns" | "createdAt" | "lastActivityAt"> & {
  createdAt: Date;
  lastActivityAt: Date;
};

type TurnRow = Omit<StaffTurn, "receipt" | "createdAt" | "startedAt" | "endedAt"> & {
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  context: ContextReceipt | null;
};

/**
 * For staff: how a session of any account went, turn by turn, when a customer says that its results are bad. Texts and names are
 * not read: what was said stays the customer's.
 * @throws AppError NOT_FOUND
 */
export async function getStaffSession(id: string): Promise<StaffSession> {
  if (!isId("session", id)) throw notFound("The session");
  const { rows } = await db().query<SessionRow>(
    `SELECT s.id, s.account_id AS "accountId", a.company_name AS "companyName", s.project_id AS "projectId",
            p.name AS "projectName", s.kind, s.status, s.turn_count AS "turnCount", s.created_at AS "createdAt",
            s.last_activity_at AS "lastActivityAt"
     FROM sessions s JOIN projects p ON p.id = s.project_id JOIN accounts a ON a.id = s.account_id WHERE s.id = $1`,
    [id],
  );
  const session = rows[0];
  if (!session) throw notFound("The session");
  return {
    ...session,
    createdAt: session.createdAt.toISOString(),
    lastActivityAt: session.lastActivityAt.toISOString(),
    turns: await readTurns(id),
  };
}

async function readTurns(sessionId: string): Promise<StaffTurn[]> {
  const { rows } = await db().query<TurnRow>(
    `SELECT t.id, t.position, t.endpoint, t.request_id AS "requestId", t.status, t.error_code AS "errorCode", t.model,
            t.output_type AS "outputType", t.tokens_in AS "tokensIn", t.tokens_out AS "tokensOut",
            t.credits_used AS "creditsUsed", t.generation AS begun, octet_length(t.input) AS "inputBytes",
            octet_length(t.file_content) AS "inlineBytes", octet_length(t.output) AS "outputBytes",
            t.created_at AS "createdAt", t.started_at AS "startedAt", t.ended_at AS "endedAt", t.context
     FROM turns t WHERE t.session_id = $1 ORDER BY t.position DESC LIMIT ${MOST_TURNS}`,
    [sessionId],
  );
  return rows.map(({ context, createdAt, startedAt, endedAt, ...turn }) => ({
    ...turn,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    receipt: context && toFigures(context),
  }));
}

/** What a receipt says without a name: of an older release or another one, parts of it may be absent. */
function toFigures(context: ContextReceipt): StaffReceipt {
  const {
    outputCut,
    isTokenCountEstimated,
    history,
    tokens,
    files = [],
    knowledge,
    memory,
    parts,
    transcription,
  } = context;
  const taken = (how: string) => knowledge?.files.filter(({ included }) => included === how).length ?? 0;
  return {
    ...(outputCut && { outputCut }),
    ...(isTokenCountEstimated && { isTokenCountEstimated }),
    history,
    tokens,
    files: files.map(({ id: _, name: __, ...figures }) => figures),
    knowledge: knowledge ? { whole: taken("whole"), sections: taken("sections"), none: taken("none") } : null,
    hasMemory: memory !== undefined,
    parts: parts ? { count: parts.count, joins: parts.joins } : null,
    soundSeconds: transcription?.seconds ?? null,
  };
}
