import type { Principal } from "@/lib/domain/principal";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { type AcceptedTurn, acceptTurn } from "@/lib/services/turns/accept-turn";
import { checkAllowances } from "@/lib/services/turns/allowances";
import { prepareTurn, type StartCall } from "@/lib/services/turns/prepare-turn";
import { creditsFirst } from "@/lib/services/turns/refuse-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** What a service is told of a call beside its fields. */
export interface CallContext {
  requestId: string;
  /** Of a call with an `Idempotency-Key`. */
  idempotency?: IdempotencyClaim | undefined;
}

/**
 * Accepts a call and gives its answer. With an idempotency key the answer is kept in the same transaction.
 * @param answer the endpoint's own form of what was accepted
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, VALIDATION_FAILED, URL_NOT_HTTPS, URL_NOT_ALLOWED,
 * INSUFFICIENT_CREDITS, TOKEN_LIMIT_REACHED, END_USER_LIMIT_REACHED, KEY_LIMIT_REACHED, PROJECT_LIMIT_REACHED
 */
export async function startTurn<Answer>(
  principal: Principal,
  call: StartCall,
  idempotency: IdempotencyClaim | undefined,
  answer: (accepted: AcceptedTurn) => Answer,
): Promise<Answer> {
  const turn = await creditsFirst(principal, () => prepareTurn(principal, call));
  return startPrepared(principal, turn, idempotency, answer);
}

/**
 * The same for what is ready to be accepted.
 * @throws AppError as `acceptTurn` and `checkAllowances`
 */
export async function startPrepared<Answer>(
  principal: Principal,
  turn: TurnInput,
  idempotency: IdempotencyClaim | undefined,
  answer: (accepted: AcceptedTurn) => Answer,
): Promise<Answer> {
  await checkAllowances(principal, turn);
  const accepted = await acceptTurn(
    principal,
    turn,
    idempotency && ((tx, result) => keepResponse(tx, idempotency, answer(result))),
  );
  return answer(accepted);
}
