import type { ChatSessionListItem } from "@/lib/contracts/chat";
import type { ProcessListItem } from "@/lib/contracts/process";
import { db } from "@/lib/db/pool";
import { makePage, type Page, type PageRequest } from "@/lib/domain/pagination";
import type { Principal } from "@/lib/domain/principal";
import type { SessionStatus } from "@/lib/domain/session-status";
import { countProjectSessions } from "@/lib/services/sessions/count-sessions";
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
  status?: SessionStatus;
  endUserId?: string;
  templateId?: string;
}

/** Sessions of both kinds, newest first, without messages (§4.3). */
export async function listChatSessions(
  principal: Principal,
  request: SessionListRequest,
): Promise<Page<ChatSessionListItem>> {
  const filter = filterOf(principal, request);
  const [{ rows }, total] = await Promise.all([
    db().query<SessionRow>(
      `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE ${filter.where} ${filter.page}`,
      filter.pageValues,
    ),
    countListed(principal, request, filter),
  ]);
  return makePage(rows.map(toChatSessionListItem), total, request);
}

/** Processings, newest first, without output (§4.2). */
export async function listProcesses(principal: Principal, request: SessionListRequest): Promise<Page<ProcessListItem>> {
  const filter = filterOf(principal, request, "process");
  const [{ rows }, total] = await Promise.all([
    db().query<ProcessRow>(
      `SELECT ${PROCESS_COLUMNS} FROM sessions s JOIN stored_files f ON f.id = s.file_id WHERE ${filter.where} ${filter.page}`,
      filter.pageValues,
    ),
    countListed(principal, request, filter, "process"),
  ]);
  return makePage(rows.map(toProcessListItem), total, request);
}

interface Filter {
  where: string;
  values: unknown[];
  page: string;
  pageValues: unknown[];
}

/** Only the conditions that are asked for, so that each combination can use its own index. */
function filterOf(principal: Principal, request: SessionListRequest, kind?: "process"): Filter {
  const conditions: [column: string, value: string | undefined][] = [
    ["project_id", principal.projectId],
    ["kind", kind],
    ["status", request.status],
    ["end_user_id", request.endUserId],
    ["template_id", request.templateId],
  ];
  const given = conditions.filter((condition): condition is [string, string] => condition[1] !== undefined);
  const values = given.map(([, value]) => value);
  return {
    where: given.map(([column], index) => `s.${column} = $${index + 1}`).join(" AND "),
    values,
    page: `ORDER BY s.created_at DESC, s.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    pageValues: [...values, request.limit, request.offset],
  };
}

async function countListed(
  principal: Principal,
  { status, endUserId, templateId }: SessionListRequest,
  filter: Filter,
  kind?: "process",
): Promise<number> {
  const isFiltered = status !== undefined || endUserId !== undefined || templateId !== undefined;
  if (!isFiltered) return countProjectSessions(principal.projectId, kind);
  const { rows } = await db().query<{ total: number }>(
    `SELECT count(*) AS total FROM sessions s WHERE ${filter.where}`,
    filter.values,
  );
  return rows[0]?.total ?? 0;
}
