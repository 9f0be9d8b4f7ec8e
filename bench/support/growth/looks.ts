import { GROWN_ACCOUNT } from "@/bench/support/growth/grown-account";
import { db } from "@/lib/db/pool";
import { encodeCursor } from "@/lib/domain/cursor";
import { usagePeriod } from "@/lib/domain/usage-period";
import { getAccount } from "@/lib/services/account/get-account";
import { listAudit } from "@/lib/services/audit/list-audit";
import { getCall } from "@/lib/services/call-log/get-call";
import { listCalls } from "@/lib/services/call-log/list-calls";
import { listCallsAfter } from "@/lib/services/call-log/tail-calls";
import { listDeliveries } from "@/lib/services/deliveries/list-deliveries";
import { listEndUsers } from "@/lib/services/end-users/list-end-users";
import { getOverview } from "@/lib/services/overview/get-overview";
import { findById } from "@/lib/services/search/find-by-id";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { listChatSessions, listProcesses } from "@/lib/services/sessions/list-sessions";
import { searchSessions } from "@/lib/services/sessions/search-sessions";
import { getAccountDetail } from "@/lib/services/staff/get-account-detail";
import { getSystem } from "@/lib/services/staff/get-system";
import { listAllCalls } from "@/lib/services/staff/list-all-calls";
import { listAllDeliveries } from "@/lib/services/staff/list-all-deliveries";
import { getAccountUsage, getUsage } from "@/lib/services/usage/get-usage";
import { listEndUserUsage } from "@/lib/services/usage/list-end-user-usage";
import { listEndpointDays } from "@/lib/services/usage/list-endpoint-days";
import { listKeyUsage } from "@/lib/services/usage/list-key-usage";

/** What a page or an answer reads, by its name. */
type Look = () => Promise<unknown>;

/** Rows of the account from the middle of its past, to ask for. */
interface Sample {
  sessionId: string;
  endUserId: string;
  reference: string;
  callId: string;
  requestId: string;
  callAt: Date;
  ip: string;
  keyId: string;
  templateId: string;
}

const PAGE = { limit: 20, offset: 0 };
const LOG_PAGE = { limit: 50 };
const DAY_MS = 86_400_000;

/** Poll, first page of the list, usage, pages of the log: all must be as quick in a large past. */
export function goalLooks(sample: Sample): Record<string, Look> {
  const me = GROWN_ACCOUNT;
  const cursor = encodeCursor([sample.callAt.toISOString(), sample.callId]);
  const to = sample.callAt;
  const from = new Date(sample.callAt.getTime() - DAY_MS);
  const log = (filters: Omit<Parameters<typeof listCalls>[1], "limit">) => () =>
    listCalls(me, { ...LOG_PAGE, ...filters });
  return {
    "GET /chat/:id": () => getChatSession(me, sample.sessionId),
    "GET /chat/sessions": () => listChatSessions(me, PAGE),
    "GET /process": () => listProcesses(me, PAGE),
    "GET /chat/sessions of an end user": () => listChatSessions(me, { ...PAGE, endUserId: sample.endUserId }),
    "GET /chat/sessions of a reference": () => listChatSessions(me, { ...PAGE, reference: sample.reference }),
    "GET /process of a reference": () => listProcesses(me, { ...PAGE, reference: sample.reference }),
    "panel, sessions": () => searchSessions(me, PAGE),
    "panel, sessions that failed": () => searchSessions(me, { ...PAGE, status: "failed" }),
    "panel, sessions that failed, expired since or not": () => searchSessions(me, { ...PAGE, status: "unanswered" }),
    "panel, sessions of a reference": () => searchSessions(me, { ...PAGE, reference: sample.reference }),
    "GET /usage": () => getAccountUsage(me, {}),
    "GET /usage of an end user": () => getUsage(me, { endUserId: sample.endUserId }),
    "panel, usage by endpoint": () => listEndpointDays(me, {}),
    "panel, usage by key": () => listKeyUsage(me, usagePeriod({}, new Date())),
    "panel, logs": log({}),
    "panel, logs, from the middle": log({ cursor }),
    "panel, logs of an endpoint": log({ endpoint: "POST /chat" }),
    "panel, logs of a rare endpoint": log({ endpoint: "GET /usage" }),
    "panel, logs, 2xx": log({ status: "2xx" }),
    "panel, logs, 4xx": log({ status: "4xx" }),
    "panel, logs, 5xx": log({ status: "5xx" }),
    "panel, logs of a key": log({ keyId: sample.keyId }),
    "panel, logs of an end user": log({ endUserId: sample.endUserId }),
    "panel, logs of an address": log({ ip: sample.ip }),
    "panel, logs of a request": log({ requestId: sample.requestId }),
    "panel, logs of a session": log({ sessionId: sample.sessionId }),
    "panel, logs of a rare error": log({ errorCode: "RATE_LIMITED" }),
    "panel, logs of a day": log({ from, to }),
    "panel, one call": () => getCall(me, sample.callId),
    "panel, live tail": () => listCallsAfter(me, { limit: 50, cursor: encodeCursor([new Date().toISOString(), ""]) }),
    "panel, search by id": () => findById(me, sample.requestId),
    "panel, search by a reference": () => findById(me, sample.reference),
    "staff, logs of all": () => listAllCalls(LOG_PAGE),
    "staff, logs of an account": () => listAllCalls({ ...LOG_PAGE, accountId: me.accountId }),
    ...rareLooks(sample),
  };
}

/** Lists by a filter that lets little or nothing of a long past through, and sums that are kept. */
function rareLooks({ callAt, endUserId }: Sample): Record<string, Look> {
  const me = GROWN_ACCOUNT;
  const month = (at: Date) => at.toISOString().slice(0, 7);
  const deliveries = (filters: Parameters<typeof listDeliveries>[2]) => () => listDeliveries(me, LOG_PAGE, filters);
  return {
    "panel, usage by end user": () => listEndUserUsage(me, { month: month(new Date()), limit: 50 }),
    "panel, usage by end user of a past month": () => listEndUserUsage(me, { month: month(callAt), limit: 50 }),
    "panel, sessions that were canceled": () => searchSessions(me, { ...PAGE, status: "canceled" }),
    "GET /process of an end user that expired": () => listProcesses(me, { ...PAGE, endUserId, status: "expired" }),
    "panel, end users": () => listEndUsers(me, LOG_PAGE),
    "panel, logs of an endpoint, 4xx": () => listCalls(me, { ...LOG_PAGE, endpoint: "GET /usage", status: "4xx" }),
    "panel, logs, 3xx": () => listCalls(me, { ...LOG_PAGE, status: "3xx" }),
    "panel, deliveries": deliveries({}),
    "panel, deliveries that failed": deliveries({ status: "failed" }),
    "panel, deliveries that are held": deliveries({ status: "held" }),
    "panel, deliveries of a rare event": deliveries({ event: "tokens.exceeded" }),
    "panel, audit log of a rare action": () => listAudit(me, { ...LOG_PAGE, action: "member.invite" }),
    "staff, failed calls of all": () => listAllCalls({ ...LOG_PAGE, status: "5xx" }),
    "staff, failed deliveries of all": () => listAllDeliveries({ ...LOG_PAGE, status: "failed" }),
    "staff, one account": () => getAccountDetail(me.accountId),
  };
}

/**
 * What still reads more where there is more, told without a goal: what was done in the last hours (the account, sessions by
 * a state, the overview), all sessions of a template, all files of the installation.
 */
export function sumLooks({ templateId }: Sample): Record<string, Look> {
  const me = GROWN_ACCOUNT;
  return {
    "GET /account": () => getAccount(me),
    "GET /chat/sessions that completed": () => listChatSessions(me, { ...PAGE, status: "completed" }),
    "GET /chat/sessions that expired": () => listChatSessions(me, { ...PAGE, status: "expired" }),
    "GET /chat/sessions of a template": () => listChatSessions(me, { ...PAGE, templateId }),
    "panel, overview of 24 hours": () => getOverview(me, "24h"),
    "panel, overview of 30 days": () => getOverview(me, "30d"),
    "staff, system": () => getSystem(),
  };
}

export async function readSample(): Promise<Sample> {
  const { rows } = await db().query<Sample>(
    `SELECT session_id AS "sessionId", end_user_id AS "endUserId", id AS "callId", request_id AS "requestId",
            created_at AS "callAt", ip, api_key_id AS "keyId",
            (SELECT template_id FROM sessions WHERE project_id = $1 AND template_id IS NOT NULL LIMIT 1) AS "templateId",
            (SELECT reference FROM sessions WHERE id = c.session_id)
     FROM call_logs c
     WHERE project_id = $1 AND end_user_id IS NOT NULL AND created_at < now() - interval '40 days'
       -- One of the calls in twenty that ask for a session of another project finds none.
       AND EXISTS (SELECT FROM sessions s WHERE s.id = c.session_id AND s.project_id = c.project_id)
     ORDER BY created_at DESC LIMIT 1`,
    [GROWN_ACCOUNT.projectId],
  );
  if (!rows[0]) throw new Error("The past of the account is not there.");
  return rows[0];
}
