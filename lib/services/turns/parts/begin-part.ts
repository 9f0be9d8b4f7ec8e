import { inTransaction } from "@/lib/db/pool";
import { affordableTokensOut, creditLimitOf } from "@/lib/domain/credits";
import { TurnError } from "@/lib/domain/turn-errors";
import { maxCreditsReached } from "@/lib/services/turns/max-credits-reached";
import type { PartCoverage, PartRef } from "@/lib/services/turns/parts/turn-part";
import { TurnLostError } from "@/lib/services/turns/turn-writer";

/** A part that is about to be read. */
export interface BegunPart {
  model: string;
  covers: PartCoverage;
  /** Null for a join. */
  content: string | null;
  firstSource: number | null;
  lastSource: number | null;
  /** Parts of its level. */
  count: number;
  /** The longest answer that the credits pay for, in tokens. */
  affordableTokensOut: number;
  /** The call's own limit, when that is what sets it. */
  maxCredits: number | null;
}

interface PartRow extends Omit<BegunPart, "affordableTokensOut" | "count"> {
  isDone: boolean;
  tokensInEstimate: number;
  maxCredits: number | null;
  creditsReserved: number;
  creditsFree: number;
  count: number;
  usedIn: number;
  usedOut: number;
}

/**
 * Begins a part, unless it was read before: notes that the model is asked for it and how much its answer may cost. What
 * other parts are being asked at the same time counts as used, since they are locked out while this looks.
 * @returns null when the part was read already
 * @throws TurnLostError; TurnError MAX_CREDITS_REACHED, INSUFFICIENT_CREDITS
 */
export async function beginPart(part: PartRef): Promise<BegunPart | null> {
  return inTransaction(async (tx) => {
    const { rows } = await tx.query<PartRow>({ ...BEGIN_PART, values: keyOf(part) });
    const row = rows[0];
    if (!row) throw new TurnLostError();
    if (row.isDone) return null;
    const { credits, maxCredits } = creditLimitOf(row);
    const affordable = affordableTokensOut(row.model, row.usedIn + row.tokensInEstimate, credits) - row.usedOut;
    if (affordable <= 0) throw outOfCredits(maxCredits);
    await tx.query({
      name: "note-part-asked",
      text: `WITH alive AS (UPDATE turns SET heartbeat_at = greatest(heartbeat_at, now()) WHERE id = $1)
             UPDATE turn_parts SET asked = asked + 1, asked_generation = $2
             WHERE turn_id = $1 AND level = $3 AND position = $4`,
      values: keyOf(part),
    });
    return { ...row, affordableTokensOut: affordable, maxCredits };
  });
}

/** Credits ran out between the parts, or with one that was cut off for it. */
export function outOfCredits(maxCredits: number | null): TurnError {
  return maxCredits === null
    ? new TurnError(
        "INSUFFICIENT_CREDITS",
        "The account's credits do not suffice to read the text to its end. Nothing was charged; ask for more credits in the panel, and send it again.",
      )
    : maxCreditsReached("Reading the text to its end would cost", maxCredits);
}

function keyOf({ turnId, generation, level, position }: PartRef): [string, number, number, number] {
  return [turnId, generation, level, position];
}

/** What an answer that is under way is taken to cost. */
const USUAL_TOKENS_OUT = 500;

/** The turn's lock keeps the parts of one turn from looking at the same time. */
const BEGIN_PART = {
  name: "begin-part",
  text: `
    WITH turn AS MATERIALIZED (
      SELECT id, account_id, max_credits, credits_reserved FROM turns
      WHERE id = $1 AND generation = $2 AND status = 'running' FOR UPDATE
    )
    SELECT p.model, p.covers, p.content, p.first_source AS "firstSource", p.last_source AS "lastSource",
      p.tokens_in_estimate AS "tokensInEstimate", p.output IS NOT NULL AS "isDone",
      turn.max_credits AS "maxCredits", turn.credits_reserved AS "creditsReserved",
      a.credit_balance - a.credit_reserved AS "creditsFree",
      (SELECT count(*) FROM turn_parts l WHERE l.turn_id = p.turn_id AND l.level = p.level)::int AS count,
      used.tokens_in AS "usedIn", used.tokens_out AS "usedOut"
    FROM turn_parts p JOIN turn ON turn.id = p.turn_id JOIN accounts a ON a.id = turn.account_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(CASE WHEN o.output IS NULL THEN o.tokens_in_estimate ELSE o.tokens_in END), 0)::int AS tokens_in,
             coalesce(sum(CASE WHEN o.output IS NULL THEN ${USUAL_TOKENS_OUT} ELSE o.tokens_out END), 0)::int AS tokens_out
      FROM turn_parts o WHERE o.turn_id = p.turn_id AND (o.output IS NOT NULL OR o.asked_generation = $2)
        AND NOT (o.level = p.level AND o.position = p.position)
    ) used
    WHERE p.turn_id = $1 AND p.level = $3 AND p.position = $4`,
};
