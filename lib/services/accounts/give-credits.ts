import { databaseNow } from "@/lib/db/database-now";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma, withinPrisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { env } from "@/lib/env";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertNoOtherGrant } from "@/lib/services/credits/assert-no-other-grant";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { assertOpen } from "@/lib/services/requests/assert-open";
import { withinClient } from "@/lib/services/requests/grant-requests";
import { assertStillStaff } from "@/lib/services/staff/assert-still-staff";
import { tellStaff } from "@/lib/services/staff/tell-staff";

/** How long a large grant waits for somebody else. */
const REQUEST_DAYS = 7;
const DAY_MS = 86_400_000;

interface CreditGift {
  accountId: string;
  /** Whole credits, 1 or more. */
  amount: number;
  reason: string;
  /** What the account asked for and was open when whoever gives them was asked how many. */
  requestId?: string;
  /** As of `assertNoOtherGrant`. */
  began?: string | null;
}

/**
 * Gives an account credits, for a member of staff. Above `STAFF_CREDITS_SECOND_ABOVE` they are not given yet: somebody else
 * of the staff has to confirm them. What the same person gave the account within a day counts along, so that many
 * small grants are a large one.
 * @param limit credits; null: nobody has to confirm
 * @returns whether they wait
 * @throws AppError NOT_FOUND, also when their session has ended; VALIDATION_FAILED, also when the request was answered or taken
 *   back since, or somebody else gave or took credits
 */
export async function giveCredits(
  actor: Actor & { userId: string },
  gift: CreditGift,
  limit: number | null = env().STAFF_CREDITS_SECOND_ABOVE,
  idempotency?: IdempotencyClaim,
): Promise<{ isWaiting: boolean }> {
  const reason = gift.reason.trim();
  if (!reason) throw invalidField("reason", "must say why");
  const given = await prisma().$transaction(async (tx) => {
    const answer = await giveOrAsk(tx, actor, { ...gift, reason }, limit);
    if (idempotency) await keepResponse(withinPrisma(tx), idempotency, answer);
    return answer;
  });
  wakeRelay();
  return given;
}

async function giveOrAsk(
  tx: Prisma.TransactionClient,
  actor: Actor & { userId: string },
  gift: CreditGift,
  limit: number | null,
): Promise<{ isWaiting: boolean }> {
  const { accountId, amount, reason, requestId, began } = gift;
  // The lock makes grants at the same time one after the other.
  const { companyName } = await lockAccount(tx, accountId);
  await assertStillStaff(tx, actor);
  if (requestId !== undefined) await assertOpen(withinClient(tx), { accountId, requestId });
  await assertNoOtherGrant(tx, actor, { accountId, began });
  const now = (await databaseNow(tx)).getTime();
  const since = new Date(now - DAY_MS);
  if (limit === null || amount + (await givenSince(tx, actor.userId, { accountId, since })) <= limit) {
    await addCredits(actor, gift, tx);
    return { isWaiting: false };
  }
  const id = newId("creditRequest");
  await tx.creditRequest.create({
    data: {
      id,
      accountId,
      amount,
      reason,
      requestedById: actor.userId,
      accountRequestId: requestId ?? null,
      expiresAt: new Date(now + REQUEST_DAYS * DAY_MS),
    },
  });
  await recordAudit(tx, actor, {
    accountId,
    action: "account.request-credits",
    subject: id,
    reason,
    after: { amount },
  });
  await tellStaff(tx, { what: "credits", accountId, companyName, amount, by: actor.userId });
  return { isWaiting: true };
}

async function givenSince(
  tx: Prisma.TransactionClient,
  userId: string,
  { accountId, since }: { accountId: string; since: Date },
): Promise<number> {
  const { _sum } = await tx.ledgerEntry.aggregate({
    where: { accountId, kind: "grant", createdById: userId, createdAt: { gt: since } },
    _sum: { amount: true },
  });
  return _sum.amount ?? 0;
}
