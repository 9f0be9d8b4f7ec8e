import type { Principal } from "@/lib/domain/principal";
import type { AcceptedTurn } from "@/lib/services/turns/accept-turn";
import { prepareRetry, type RetryCall } from "@/lib/services/turns/prepare-retry";
import { creditsFirst } from "@/lib/services/turns/refuse-turn";
import { type CallContext, startPrepared } from "@/lib/services/turns/start-turn";

/** What was accepted, and where it will be told of. */
export interface AcceptedRetry extends AcceptedTurn {
  callbackUrl: string | null;
}

/**
 * Tries a session's last turn again, as `prepareRetry` has it: the next turn of the session asks what that one asked.
 * @param answer the endpoint's own form of what was accepted
 * @throws AppError NOT_FOUND, NOT_READY, URL_NOT_HTTPS, URL_NOT_ALLOWED, INSUFFICIENT_CREDITS, TOKEN_LIMIT_REACHED,
 * END_USER_LIMIT_REACHED, KEY_LIMIT_REACHED, PROJECT_LIMIT_REACHED
 */
export async function retryTurn<Answer>(
  principal: Principal,
  call: Omit<RetryCall, "requestId">,
  { requestId, idempotency }: CallContext,
  answer: (accepted: AcceptedRetry) => Answer,
): Promise<Answer> {
  const turn = await creditsFirst(principal, () => prepareRetry(principal, { ...call, requestId }));
  const callbackUrl = turn.callbackUrl ?? null;
  return startPrepared(principal, turn, idempotency, (accepted) => answer({ ...accepted, callbackUrl }));
}
