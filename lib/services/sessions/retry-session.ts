import { endpointName } from "@/lib/contracts/endpoint-definition";
import { retryChatSessionEndpoint } from "@/lib/contracts/retries";
import type { Transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import type { Principal } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { type AcceptedTurn, acceptTurn } from "@/lib/services/turns/accept-turn";
import { checkAllowances } from "@/lib/services/turns/allowances";
import { prepareRetry } from "@/lib/services/turns/prepare-retry";

/** As usage names it: what the panel does is what that call does. */
const ENDPOINT = endpointName(retryChatSessionEndpoint);

export interface RetryOptions {
  /** The person who has the session tried again, for a line of the audit log; absent where it is one of many. */
  actor?: Actor;
  /** What has to be there together with the turn, or not at all. */
  also?: ((tx: Transaction) => Promise<void>) | undefined;
}

/**
 * Tries a session's last call again for somebody in the panel, as `prepareRetry` has it. No key's allowance counts, for none calls.
 * @throws AppError NOT_FOUND, NOT_READY, URL_NOT_HTTPS, URL_NOT_ALLOWED, INSUFFICIENT_CREDITS, TOKEN_LIMIT_REACHED,
 * END_USER_LIMIT_REACHED, PROJECT_LIMIT_REACHED
 */
export async function retrySession(
  principal: Principal,
  sessionId: string,
  { actor, also }: RetryOptions = {},
): Promise<AcceptedTurn> {
  const turn = await prepareRetry(principal, { sessionId, endpoint: ENDPOINT, requestId: newId("request") });
  await checkAllowances(principal, turn);
  const { accountId } = principal;
  return acceptTurn(
    principal,
    turn,
    actor ? (tx) => writeAudit(tx, actor, { accountId, action: "session.retry", subject: sessionId }) : also,
  );
}

/** @throws AppError API_DISABLED for a project that takes no calls: nothing is begun there from the panel either */
export function refuseWhileOff({ apiEnabled }: { apiEnabled: boolean }): void {
  if (apiEnabled) return;
  throw new AppError("API_DISABLED", "The API of this project is switched off. Switch it on in Settings, Project.");
}
