import type { ChatSessionListItem } from "@/lib/contracts/chat-records";
import type { ProcessListItem } from "@/lib/contracts/process-records";
import { db } from "@/lib/db/pool";
import { type Page, type PageRequest, readPage } from "@/lib/domain/pagination";
import type { Principal } from "@/lib/domain/principal";
import type { SessionStatus } from "@/lib/domain/session-status";
import { countExpiredSessions, countProjectSessions, IS_UNEXPIRED } from "@/lib/services/sessions/count-sessions";
import {
  PROCESS_COLUMNS,
  type ProcessRow,
  SESSION_COLUMNS,
  type SessionRow,
  toChatSessionListItem,
  toProcessListItem,
} from "@/lib/services/sessions/session-row";

/** Filters of both lists; they combine with AND. */
export interface SessionListRequest extends PageRequest {
  status?: SessionStatus | undefined;
  endUserId?: string;
  reference?: string;
  templateId?: string;
}

/** Sessions of both kinds, newest first, without messages (§4.3). */
export async function listChatSessions(
  principal: Principal,
  request: SessionListRequest,
): Promise<Page<ChatSessionListItem>> {
  const filter = filterOf(principal, request);
  const read = async (part: PageRequest) => {
    const { rows } = await db().query<SessionRow>(
      `SELECT ${SESSION_COLUMNS} FROM ${filter.page} ${NEWEST_FIRST}`,
      pageValues(filter, part),
    );
    return rows.map(toChatSessionListItem);
  };
  return readPage(request, read, () => countListed(principal, request, filter));
}

/**
 * Processings, newest first, without output (§4.2). Those whose file has just been erased, and which go next, have their place
 * on the page, so that it does not look like the last one, and are left out.
 */
export async function listProcesses(principal: Principal, request: SessionListRequest): Promise<Page<ProcessListItem>> {
  const filter = filterOf(principal, request, "process");
  const read = async (part: PageRequest) => {
    const { rows } = await db().query<ProcessRow | FilelessRow>(
      `SELECT ${PROCESS_COLUMNS} FROM ${filter.page} LEFT JOIN stored_files f ON f.id = s.file_id ${NEWEST_FIRST}`,
      pageValues(filter, part),
    );
    return rows;
  };
  const { data, pagination } = await readPage(request, read, () => countListed(principal, request, filter, "process"));
  return { data: data.filter(hasFile).map(toProcessListItem), pagination };
}

interface FilelessRow {
  file_key: null;
}

const hasFile = (row: ProcessRow | FilelessRow): row is ProcessRow => row.file_key !== null;

const NEWEST_FIRST = "ORDER BY s.created_at DESC, s.id DESC";

interface Filter {
  where: string;
  values: unknown[];
  /** The sessions of the page, as `s`; it is cut by ids that an index can give without the rows. */
  page: string;
}

function pageValues({ values }: Filter, { limit, offset }: PageRequest): unknown[] {
  return [...values, limit, offset];
}

/** Only the conditions that are asked for, so that each combination can use its own index. */
function filterOf(principal: Principal, request: SessionListRequest, kind?: "process"): Filter {
  const conditions: [column: string, value: string | undefined][] = [
    ["project_id", principal.projectId],
    ["kind", kind],
    ["status", request.status],
    ["end_user_id", request.endUserId],
    ["template_id", request.templateId],
    ["reference", request.reference],
  ];
  const given = conditions.filter((condition): condition is [string, string] => condition[1] !== undefined);
  const values = given.map(([, value]) => value);
  const where = given.map(([column], index) => `s.${column} = $${index + 1}`).join(" AND ");
  const limits = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
  return {
    where,
    values,
    page: `(SELECT s.id FROM sessions s WHERE ${where} ${NEWEST_FIRST} ${limits}) page JOIN sessions s ON s.id = page.id`,
  };
}

/**
 * Nearly all sessions of a long past have expired: they are those that the other filters let through, less the few that
 * have not.
 */
async function countListed(
  principal: Principal,
  request: SessionListRequest,
  filter: Filter,
  kind?: "process",
): Promise<number> {
  const { status, endUserId, templateId, reference } = request;
  const isExpired = status === "expired";
  if ((endUserId ?? templateId ?? reference) === undefined) {
    if (isExpired) return countExpiredSessions(principal.projectId, kind);
    if (status === undefined) return countProjectSessions(principal.projectId, kind);
  }
  const { where, values } = isExpired ? filterOf(principal, { ...request, status: undefined }, kind) : filter;
  const less = isExpired ? ` - (SELECT count(*) FROM sessions s WHERE ${where} AND ${IS_UNEXPIRED})` : "";
  const { rows } = await db().query<{ total: number }>(
    `SELECT (SELECT count(*) FROM sessions s WHERE ${where})${less} AS total`,
    values,
  );
  return rows[0]?.total ?? 0;
}
