import { databaseNow } from "@/lib/db/database-now";
import type { CreditRequest, Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { countWords } from "@/lib/domain/count-words";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import { grantCredits } from "@/lib/services/accounts/grant-credits";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { givenSince } from "@/lib/services/credits/given-since";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { holdRequest } from "@/lib/services/requests/assert-open";
import { withinClient } from "@/lib/services/requests/grant-requests";
import { outcomeOf } from "@/lib/services/requests/too-late";
import { assertStillStaff } from "@/lib/services/staff/assert-still-staff";

interface CreditDecision {
  requestId: string;
  reason: string;
}

interface CreditConfirmation extends CreditDecision {
  /** Credits that the account was given otherwise since it was asked for, as whoever confirms saw it; absent (tests): whatever it is. */
  givenSince?: number;
}

/**
 * Gives the credits that somebody else of the staff asked for.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when it is one's own, was decided already or waited for too long, when who
 *   asked was shut out, when what the account asked for was answered otherwise, or taken back, meanwhile, and when the account
 *   was given more than whoever confirms saw
 */
export async function confirmCredits(actor: Actor & { userId: string }, decision: CreditConfirmation): Promise<void> {
  await decide(actor, decision, "confirmed", async (tx, request) => {
    const { accountId, amount, reason, requestedById } = request;
    // Two people vouch for it: one who was shut out meanwhile no longer does.
    if ((await tx.user.count({ where: { id: requestedById, disabledAt: { not: null } } })) > 0) {
      throw new AppError(
        "VALIDATION_FAILED",
        "Who asked for this grant was shut out. Refuse it, or grant the credits anew.",
      );
    }
    const { creditBalance } = await lockAccount(tx, accountId);
    await assertStillWanted(tx, request);
    await assertNoMoreGiven(tx, request, decision.givenSince);
    const credits = await grantCredits(tx, { ...actor, userId: requestedById }, { accountId, amount, reason });
    return { before: { credits: creditBalance }, after: { amount, credits } };
  });
}

/** Two large grants may wait for one request, and a small one answers it, too: it would be given twice, or after it was declined. */
async function assertStillWanted(
  tx: Prisma.TransactionClient,
  { accountId, accountRequestId: requestId }: CreditRequest,
): Promise<void> {
  if (requestId === null) return;
  const state = await holdRequest(withinClient(tx), { accountId, requestId });
  if (state === "open") return;
  throw new AppError(
    "VALIDATION_FAILED",
    `What the account asked for was ${outcomeOf(state)} meanwhile. Refuse this grant, or grant the credits anew.`,
  );
}

/** Two large grants for one payment may wait beside each other: whoever confirms the second has to see the first. */
async function assertNoMoreGiven(
  tx: Prisma.TransactionClient,
  { accountId, createdAt }: CreditRequest,
  seen: number | undefined,
): Promise<void> {
  if (seen === undefined) return;
  const [now] = await tx.$queryRawUnsafe<{ credits: number }[]>(
    `SELECT ${givenSince("$1", "$2::timestamptz")} AS credits`,
    accountId,
    createdAt,
  );
  const more = (now?.credits ?? 0) - seen;
  if (more > 0) throw changedMeanwhile(`the account was given ${countWords(more, "credit")}`, "dialog");
}

/**
 * Refuses the credits that somebody of the staff asked for; whoever asked takes them back so, such as an amount with a zero too
 * many, which a colleague might confirm.
 * @throws as `confirmCredits`
 */
export async function refuseCredits(actor: Actor & { userId: string }, decision: CreditDecision): Promise<void> {
  await decide(actor, decision, "refused", async (_tx, { amount }) => ({ after: { amount } }));
}

type Effect = (
  tx: Prisma.TransactionClient,
  request: CreditRequest,
) => Promise<{ before?: Prisma.InputJsonObject; after: Prisma.InputJsonObject }>;

/**
 * The row is taken before anything is done, so that of two decisions at once one is too late; the account before it, as whoever
 * erases that takes both. The same of the same person once more is done already:
 * it is sent again because its answer was lost.
 */
async function decide(
  actor: Actor & { userId: string },
  { requestId, reason: given }: CreditDecision,
  state: "confirmed" | "refused",
  effect: Effect,
): Promise<void> {
  const reason = given.trim();
  if (!reason) throw invalidField("reason", "must say why");
  await prisma().$transaction(async (tx) => {
    const now = await databaseNow(tx);
    await tx.$queryRaw`
      SELECT 1 FROM accounts WHERE id = (SELECT account_id FROM credit_requests WHERE id = ${requestId}) FOR UPDATE`;
    await assertStillStaff(tx, actor);
    const [request] = await tx.creditRequest.updateManyAndReturn({
      where: {
        id: requestId,
        state: "pending",
        expiresAt: { gt: now },
        ...(state === "confirmed" && { requestedById: { not: actor.userId } }),
      },
      data: { state, decidedById: actor.userId, decisionReason: reason, decidedAt: now },
    });
    const mine = { id: requestId, state, decidedById: actor.userId, decisionReason: reason };
    if (!request && (await tx.creditRequest.count({ where: mine })) > 0) return;
    if (!request) throw await whyNot(tx, requestId, actor.userId);
    const changed = await effect(tx, request);
    await recordAudit(tx, actor, {
      accountId: request.accountId,
      action: state === "confirmed" ? "account.confirm-credits" : "account.refuse-credits",
      subject: requestId,
      reason,
      ...changed,
    });
  });
  wakeRelay();
}

async function whyNot(tx: Prisma.TransactionClient, id: string, userId: string): Promise<AppError> {
  const request = await tx.creditRequest.findUnique({ where: { id } });
  if (!request) return notFound("The grant");
  if (request.state !== "pending") {
    const decider = await tx.user.findUnique({ where: { id: request.decidedById ?? "" }, select: { email: true } });
    const by = decider ? `, by ${decider.email}` : "";
    const outcome = request.decidedById === request.requestedById ? "taken back" : request.state;
    return new AppError("VALIDATION_FAILED", `This grant was ${outcome} already${by}.`);
  }
  if (request.requestedById === userId) {
    return new AppError("VALIDATION_FAILED", "This grant is your own: somebody else of the staff has to decide.");
  }
  return new AppError("VALIDATION_FAILED", "This grant waited for too long. Grant the credits anew.");
}
