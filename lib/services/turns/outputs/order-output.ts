import { creditsOfOrder, type OutputOrder } from "@/lib/ai/tools/output-order";
import { inTransaction, type Transaction } from "@/lib/db/pool";
import { countWords } from "@/lib/domain/count-words";
import { creditsFor } from "@/lib/domain/credits";
import { TurnError } from "@/lib/domain/turn-errors";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { lockTurn } from "@/lib/services/turns/lock-turn";
import { maxCreditsReached } from "@/lib/services/turns/max-credits-reached";
import type { OrderingAnswer, TurnOutput } from "@/lib/services/turns/outputs/turn-output";

/**
 * Writes down what the model ordered and promises its credits to the turn, before anything is made: whoever goes on with
 * the turn carries out this order and asks the model no more.
 * @throws TurnError MAX_CREDITS_REACHED, INSUFFICIENT_CREDITS; TurnLostError
 */
export async function orderOutput(turn: ClaimedTurn, order: OutputOrder, answer: OrderingAnswer): Promise<TurnOutput> {
  const credits = creditsOfOrder(order);
  await inTransaction(async (tx) => {
    const reserved = await lockTurn(tx, turn);
    const used = creditsFor(answer.model, answer.tokensIn, answer.tokensOut) + answer.soundCredits;
    await reserve(tx, turn, used + credits, reserved);
    await tx.query({
      name: "order-output",
      text: `INSERT INTO turn_outputs (turn_id, "order", credits, answer) VALUES ($1, $2, $3, $4)
             ON CONFLICT (turn_id) DO UPDATE SET "order" = excluded."order", credits = excluded.credits,
               answer = excluded.answer`,
      values: [turn.turnId, JSON.stringify(order), credits, JSON.stringify(answer)],
    });
  });
  return { order, credits, answer, jobId: null, jobSeconds: null, draft: null };
}

/** Unlike an answer, which is charged up to what there is, an output is not begun unless it can be paid in full. */
async function reserve(tx: Transaction, turn: ClaimedTurn, needed: number, reserved: number): Promise<void> {
  if (turn.maxCredits !== null && needed > turn.maxCredits) {
    throw maxCreditsReached(`What the instruction asks for costs ${countWords(needed, "credit")},`, turn.maxCredits);
  }
  const missing = needed - reserved;
  if (missing <= 0) return;
  const { rowCount } = await tx.query({
    name: "reserve-for-output",
    text: `WITH account AS (
             UPDATE accounts SET credit_reserved = credit_reserved + $2::int
             WHERE id = $1 AND credit_balance - credit_reserved >= $2::int RETURNING id
           )
           UPDATE turns SET credits_reserved = credits_reserved + $2::int FROM account WHERE turns.id = $3`,
    values: [turn.accountId, missing, turn.turnId],
  });
  if (rowCount !== 1) {
    throw new TurnError(
      "INSUFFICIENT_CREDITS",
      `What the instruction asks for costs ${countWords(needed, "credit")}, more than the account has left.`,
    );
  }
}
