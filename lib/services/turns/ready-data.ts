import { BULK_ENDPOINTS, CONVERSATION_ENDPOINTS, TURN_PRIORITY } from "@/lib/domain/turn-priority";

/** Expressions of SQL for what a turn is. */
interface TurnExpressions {
  turnId: string;
  sessionId: string;
  accountId: string;
  /** Of its session. */
  kind: string;
  endpoint: string;
  /** Whether it goes on with a session that was there. */
  isNext: string;
}

const BULK = listed(BULK_ENDPOINTS);
const CONVERSATION = listed(CONVERSATION_ENDPOINTS);

/** The data of a turn's `turn/ready` as an expression of SQL; its priority is that of `turnPriority`. */
export function readyData({ turnId, sessionId, accountId, kind, endpoint, isNext }: TurnExpressions): string {
  return `jsonb_build_object('turnId', ${turnId}, 'sessionId', ${sessionId}, 'accountId', ${accountId}, 'priority', CASE
    WHEN ${endpoint} IN (${BULK}) THEN ${TURN_PRIORITY.bulk}
    WHEN ${kind} = 'chat' OR ${isNext} AND ${endpoint} IN (${CONVERSATION}) THEN ${TURN_PRIORITY.chat} ELSE ${TURN_PRIORITY.process} END)`;
}

/** The same for a row of `turns` that is updated or read under that name. */
export const READY_DATA_OF_TURN = readyData({
  ...{ turnId: "id", sessionId: "session_id", accountId: "account_id", endpoint: "endpoint" },
  kind: "(SELECT kind FROM sessions WHERE id = session_id)",
  isNext: "position > 0",
});

function listed(endpoints: readonly string[]): string {
  return endpoints.map((endpoint) => `'${endpoint}'`).join(", ");
}
