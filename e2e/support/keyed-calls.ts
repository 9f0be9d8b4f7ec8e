import { randomBytes } from "node:crypto";
import type { TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { newId } from "@/lib/domain/ids";
import { claimKey, KEY_LEASE_SECONDS } from "@/lib/services/idempotency/claim-key";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

/** A key of idempotency that holds the text, taken for a call. */
export async function takeKey(
  account: TestAccount,
  text: string,
  named: { endUserId?: string; sessionId?: string } = {},
  leaseSeconds = KEY_LEASE_SECONDS,
): Promise<IdempotencyClaim> {
  const requestId = newId("request");
  const call = { key: `${text} ${requestId}`, requestHash: randomBytes(32), requestId, status: 202, ...named };
  const claimed = await claimKey(account.principal, call, { leaseSeconds });
  if (!("claim" in claimed)) throw new Error("The key was taken.");
  return claimed.claim;
}

/**
 * A call of an end user with a key of idempotency that holds the text, on a session or to begin one; it is not logged yet.
 * @param claim as servers took it that wrote nobody's name beside a key
 */
export async function callWithKey(
  account: TestAccount,
  endUserId: string,
  sessionId?: string,
  claim?: IdempotencyClaim,
) {
  const by = claim ?? (await takeKey(account, endUserId));
  const { requestId } = by;
  const turn = chatTurn({ requestId, endUserId, ...(sessionId && { sessionId }) });
  const accepted = await acceptTurn(account.principal, turn, (tx, answer) => keepResponse(tx, by, answer));
  await endTurn(accepted.turnId, null, completedEnd());
  return { requestId, sessionId: accepted.sessionId };
}
