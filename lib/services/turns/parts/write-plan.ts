import { inTransaction, type Transaction } from "@/lib/db/pool";
import { countWords } from "@/lib/domain/count-words";
import { describeCoverage } from "@/lib/domain/document-ranges";
import { PART_PROMPT_TOKENS } from "@/lib/domain/reading-plan";
import { TurnError } from "@/lib/domain/turn-errors";
import { announceEvent } from "@/lib/services/sessions/announce-event";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { creditsForSound } from "@/lib/services/turns/keep-transcripts";
import { lockTurn } from "@/lib/services/turns/lock-turn";
import { maxCreditsReached } from "@/lib/services/turns/max-credits-reached";
import { appendProgress } from "@/lib/services/turns/parts/append-progress";
import type { CutPart } from "@/lib/services/turns/parts/cut-document";
import { estimateParts } from "@/lib/services/turns/parts/estimate-parts";
import { partFingerprints } from "@/lib/services/turns/parts/part-fingerprint";
import { recallNotes } from "@/lib/services/turns/parts/recall-notes";

export interface ReadingPlan {
  model: string;
  /** What goes along with each part. */
  system: string;
  parts: CutPart[];
  /** What goes along with each part: system message and instruction. */
  fixedTokens: number;
  /** Of transcripts that the turn pays for. */
  soundSeconds: number[];
}

/**
 * Writes the parts of a turn down and promises it what reading them is likely to cost, in one transaction. Nothing is
 * written when the account cannot pay even for the shortest answers.
 * @throws TurnError MAX_CREDITS_REACHED, INSUFFICIENT_CREDITS; TurnLostError
 */
export async function writePlan(turn: ClaimedTurn, plan: ReadingPlan): Promise<void> {
  const { parts } = plan;
  const event = await inTransaction(async (tx) => {
    await reserve(tx, turn, plan);
    await insertParts(tx, turn, plan);
    const done = await recallNotes(tx, turn);
    const covers = describeCoverage(parts.flatMap((part) => part.covers.ranges));
    return appendProgress(tx, turn, { stage: "planned", done, total: parts.length, covers });
  });
  announceEvent(event);
}

/** Some megabytes at a time: to make a statement of a text holds the thread, and others can work while the database takes it. */
const STATEMENT_CHARACTERS = 1_000_000;

async function insertParts(tx: Transaction, { turnId, input }: ClaimedTurn, plan: ReadingPlan): Promise<void> {
  const { model, system, parts, fixedTokens } = plan;
  const fingerprints = partFingerprints({ model, system, input }, parts);
  for (let first = 0, end = 0; first < parts.length; first = end) {
    for (let size = 0; end < parts.length && size < STATEMENT_CHARACTERS; end++)
      size += parts[end]?.content.length ?? 0;
    const some = parts.slice(first, end);
    await tx.query({
      name: "insert-parts",
      text: `INSERT INTO turn_parts (turn_id, level, position, model, covers, content, fingerprint, tokens_in_estimate)
             SELECT $1, 0, $7::int + part.ordinality - 1, $2, part.covers::jsonb, part.content, part.fingerprint, part.tokens
             FROM unnest($3::text[], $4::text[], $5::text[], $6::int[])
               WITH ORDINALITY AS part (covers, content, fingerprint, tokens, ordinality)`,
      values: [
        turnId,
        model,
        some.map(({ covers }) => JSON.stringify(covers)),
        some.map(({ content }) => content.replaceAll("\0", "\ufffd")),
        fingerprints.slice(first, end),
        some.map(({ tokens }) => tokens + fixedTokens + PART_PROMPT_TOKENS),
        first,
      ],
    });
  }
}

/** Raises what is promised to the turn to what its parts are likely to cost. */
async function reserve(tx: Transaction, turn: ClaimedTurn, plan: ReadingPlan): Promise<void> {
  const reserved = await lockTurn(tx, turn);
  const estimate = estimateParts(plan.model, plan.fixedTokens, plan.parts);
  const soundCredits = creditsForSound(plan.soundSeconds);
  const least = estimate.creditsMin + soundCredits;
  const wanted = Math.min(estimate.creditsMax + soundCredits, turn.maxCredits ?? Number.POSITIVE_INFINITY);
  if (turn.maxCredits !== null && least > turn.maxCredits) throw tooDear(turn.maxCredits, plan, least);
  const { rows: accounts } = await tx.query<{ free: number }>({
    name: "lock-account-to-plan",
    text: "SELECT credit_balance - credit_reserved AS free FROM accounts WHERE id = $1 FOR NO KEY UPDATE",
    values: [turn.accountId],
  });
  const free = Math.max(0, accounts[0]?.free ?? 0);
  const raise = Math.max(0, Math.min(wanted - reserved, free));
  if (reserved + raise < least) throw tooDear(null, plan, least);
  if (raise === 0) return;
  await tx.query({
    name: "reserve-for-parts",
    text: `WITH account AS (UPDATE accounts SET credit_reserved = credit_reserved + $3::int WHERE id = $2)
           UPDATE turns SET credits_reserved = credits_reserved + $3::int WHERE id = $1`,
    values: [turn.turnId, turn.accountId, raise],
  });
}

function tooDear(maxCredits: number | null, { parts }: ReadingPlan, least: number): TurnError {
  const what = `The text is more than the model takes at once: reading it in ${countWords(parts.length, "part")} costs at least ${countWords(least, "credit")}`;
  return maxCredits === null
    ? new TurnError(
        "INSUFFICIENT_CREDITS",
        `${what}, more than the account has left. Ask for more credits in the panel, and send it again.`,
      )
    : maxCreditsReached(`${what},`, maxCredits);
}
