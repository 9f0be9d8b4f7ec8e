import { BULK_ENDPOINTS, TURN_PRIORITY } from "@/lib/domain/turn-priority";

/** Expressions of SQL for what a turn is. */
interface TurnExpressions {
  turnId: string;
  sessionId: string;
  accountId: string;
  /** Of its session. */
  kind: string;
  endpoint: string;
}

const BULK = BULK_ENDPOINTS.map((endpoint) => `'${endpoint}'`).join(", ");

/** The data of a turn's `turn/ready` as an expression of SQL; its priority is that of `turnPriority`. */
export function readyData({ turnId, sessionId, accountId, kind, endpoint }: TurnExpressions): string {
  return `jsonb_build_object('turnId', ${turnId}, 'sessionId', ${sessionId}, 'accountId', ${accountId}, 'priority', CASE
    WHEN ${endpoint} IN (${BULK}) THEN ${TURN_PRIORITY.bulk}
    WHEN ${kind} = 'chat' THEN ${TURN_PRIORITY.chat} ELSE ${TURN_PRIORITY.process} END)`;
}
