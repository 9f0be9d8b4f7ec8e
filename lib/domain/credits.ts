import { findModel } from "@/lib/domain/model-catalog";

/**
 * What a finished turn costs (contract §7): ceil(tokens in × price in + tokens out × price out), at least 1.
 * Failed and canceled turns cost nothing; that is the caller's to know.
 */
export function creditsFor(model: string, tokensIn: number, tokensOut: number): number {
  return Math.max(1, Math.ceil(nanoCredits(model, tokensIn, tokensOut) / NANO));
}

export interface CreditEstimate {
  /** If the answer is as short as it can be. */
  min: number;
  /** If the answer is of the usual length: what is reserved when a call is accepted. */
  max: number;
  /** The length of answer behind `max`, in tokens. */
  tokensOut: number;
}

/**
 * What a turn of `tokensIn` tokens is likely to cost, for reservations and quotes.
 * @param maxTokensOut a limit on the answer that the call itself sets
 */
export function estimateCredits(
  model: string,
  tokensIn: number,
  maxTokensOut = Number.POSITIVE_INFINITY,
): CreditEstimate {
  const longest = Math.min(maxTokensOut, findModel(model).maxOutputTokens);
  const usual = Math.min(Math.max(USUAL_TOKENS_OUT, tokensIn * USUAL_SHARE_OF_INPUT), MAX_USUAL_TOKENS_OUT);
  const tokensOut = Math.ceil(Math.min(longest, usual));
  return { min: creditsFor(model, tokensIn, 1), max: creditsFor(model, tokensIn, tokensOut), tokensOut };
}

/**
 * The longest answer, in tokens, with which a turn costs at most `credits`; 0 when the input alone costs more, or as much where
 * answers cost anything. For `maxCredits` and for a balance that must not go below zero.
 */
export function affordableTokensOut(model: string, tokensIn: number, credits: number): number {
  const { outPerToken } = pricesOf(model);
  const left = Math.floor(credits) * NANO - nanoCredits(model, tokensIn, 0);
  // A turn costs one credit at least.
  if (credits < 1 || left < 0) return 0;
  return outPerToken === 0 ? Number.MAX_SAFE_INTEGER : Math.floor(left / outPerToken);
}

/** What a turn may cost. */
export interface CreditLimit {
  credits: number;
  /** The call's own limit, when that is the lower one: then an excess is named by it. */
  maxCredits: number | null;
}

/** What a turn may cost: no more than it was promised and the account has free, nor than the call allows. */
export function creditLimitOf(turn: {
  maxCredits: number | null;
  creditsReserved: number;
  creditsFree: number;
}): CreditLimit {
  const { maxCredits } = turn;
  const payable = turn.creditsReserved + Math.max(0, turn.creditsFree);
  if (maxCredits !== null && maxCredits <= payable) return { credits: maxCredits, maxCredits };
  return { credits: payable, maxCredits: null };
}

/** Answers to short messages. */
const USUAL_TOKENS_OUT = 300;
/** Answers grow with what is asked about, up to a point. */
const USUAL_SHARE_OF_INPUT = 0.1;
const MAX_USUAL_TOKENS_OUT = 2_000;

const NANO = 1_000_000_000;

/**
 * Whole numbers all the way: in fractions, 2,500 tokens at 0.4 would come to a hair above one credit. Fine ones: operators
 * name prices of their own, such as 0.0375 for 1,000 tokens.
 */
function nanoCredits(model: string, tokensIn: number, tokensOut: number): number {
  const { inPerToken, outPerToken } = pricesOf(model);
  return tokensIn * inPerToken + tokensOut * outPerToken;
}

function pricesOf(model: string): { inPerToken: number; outPerToken: number } {
  const entry = findModel(model);
  return {
    inPerToken: Math.round(entry.creditsPerThousandTokensIn * 1_000_000),
    outPerToken: Math.round(entry.creditsPerThousandTokensOut * 1_000_000),
  };
}
