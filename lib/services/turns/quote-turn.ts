import type { Quote } from "@/lib/contracts/starting";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { PLANS } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { discardUpload } from "@/lib/services/files/discard-upload";
import { waitBriefly } from "@/lib/services/files/wait-briefly";
import { findUsedUp } from "@/lib/services/turns/allowances";
import { type CountedInput, countInput } from "@/lib/services/turns/count-input";
import { prepareTurn, type StartCall } from "@/lib/services/turns/prepare-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/**
 * Says what a call would cost, without making it (contract §5, quote before run). The request to the model is put
 * together as the answer would; files that came with the call are read for it and removed again.
 * @throws AppError what the call itself would be refused with, apart from credits and the token limit
 */
export async function quoteTurn(principal: Principal, call: StartCall): Promise<Quote> {
  const turn = await prepareTurn(principal, call);
  const state = await readState(principal, turn);
  const model = principal.model ?? env().DEFAULT_MODEL;
  const warnings: string[] = [];
  // A session's turns are its end user's, also those that the client sends in its own name.
  const endUserId = turn.endUserId ?? state.endUserId ?? undefined;
  const usedUp = await findUsedUp(principal, { ...turn, endUserId });
  if (usedUp) warnings.push(`The call would be refused with ${usedUp.code}: ${usedUp.message}`);
  const counted = await countInput(principal, { ...turn, endUserId }, { ...state, model }, warnings);
  const sent = (call.files ?? []).filter(({ isByReference }) => !isByReference);
  await Promise.all(sent.map((file) => waitBriefly(discardUpload(file))));

  const creditsEstimate = counted === null ? { min: 0, max: 0 } : estimate(counted, turn.maxCredits, warnings);
  const tokensInEstimate = counted?.tokens ?? 0;
  return {
    tokensInEstimate,
    creditsEstimate,
    wouldExceed:
      findExcess(principal, turn, state, tokensInEstimate, creditsEstimate.min) ?? (usedUp ? "credits" : null),
    warnings,
  };
}

interface AccountState {
  creditsFree: number;
  tokensUsed: number;
  systemPrompt: string | null;
  sessionFound: boolean;
  /** Whose the session is. */
  endUserId: string | null;
  turnCount: number;
}

async function readState(principal: Principal, turn: TurnInput): Promise<AccountState> {
  const { rows } = await db().query<AccountState>({
    name: "quote-state",
    text: `
      SELECT a.credit_balance - a.credit_reserved AS "creditsFree", p.system_prompt AS "systemPrompt",
        coalesce((SELECT tokens_used FROM account_periods m WHERE m.account_id = a.id
                  AND m.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS "tokensUsed",
        s.id IS NOT NULL AS "sessionFound", s.end_user_id AS "endUserId", coalesce(s.turn_count, 0) AS "turnCount"
      FROM accounts a JOIN projects p ON p.account_id = a.id AND p.id = $2
      LEFT JOIN sessions s ON s.id = $3 AND s.project_id = p.id AND ($4::text IS NULL OR s.end_user_id = $4)
      WHERE a.id = $1`,
    values: [principal.accountId, principal.projectId, turn.sessionId ?? null, turn.endUserId ?? null],
  });
  const state = rows[0];
  if (!state || (turn.sessionId !== undefined && !state.sessionFound)) throw notFound("The session");
  return state;
}

function estimate({ credits: { min, max } }: CountedInput, maxCredits: number | undefined, warnings: string[]) {
  if (maxCredits === undefined) return { min, max };
  if (maxCredits < min) {
    warnings.push(
      "maxCredits, which the call or its project sets, is less than the call costs: it would fail with MAX_CREDITS_REACHED and cost nothing.",
    );
  } else if (maxCredits < max) {
    warnings.push(
      "An answer of the usual length may cost more than maxCredits: the call could fail with MAX_CREDITS_REACHED.",
    );
  }
  return { min: Math.min(min, maxCredits), max: Math.min(max, maxCredits) };
}

/** What the account has too little of, the token limit first, as when the call is made. */
function findExcess(
  { planId }: Principal,
  turn: TurnInput,
  { creditsFree, tokensUsed }: AccountState,
  tokensIn: number,
  leastCredits: number,
): Quote["wouldExceed"] {
  const limit = PLANS[planId].tokensPerMonth;
  if (limit !== null && (tokensUsed >= limit || tokensUsed + tokensIn > limit)) return "tokenLimit";
  return creditsFree < Math.max(turn.creditsToReserve, leastCredits) ? "credits" : null;
}
