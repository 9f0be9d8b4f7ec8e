import { understandFile } from "@/lib/ai/files/understand-file";
import type { Quote } from "@/lib/contracts/starting";
import { db } from "@/lib/db/pool";
import { estimateCredits } from "@/lib/domain/credits";
import { notFound } from "@/lib/domain/errors";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { MAX_PICTURES_PER_REQUEST } from "@/lib/domain/page-pictures";
import { PLANS } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import { estimateReading, MAX_READING_TOKENS, type ReadingEstimate, roomForParts } from "@/lib/domain/reading-plan";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { discardUpload } from "@/lib/services/files/discard-upload";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { buildModelRequest } from "@/lib/services/turns/build-model-request";
import { creditsForSound } from "@/lib/services/turns/keep-transcripts";
import { prepareTurn, type StartCall } from "@/lib/services/turns/prepare-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";
import { fileStoreOf } from "@/lib/storage/select-store";

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
  const counted = await countInput(principal, turn, state, model, warnings);
  const sent = (call.files ?? []).filter(({ isByReference }) => !isByReference);
  await Promise.allSettled(sent.map((file) => discardUpload(file)));

  const creditsEstimate = counted === null ? { min: 0, max: 0 } : estimate(counted, turn.maxCredits, warnings);
  const tokensInEstimate = counted?.tokens ?? 0;
  return {
    tokensInEstimate,
    creditsEstimate,
    wouldExceed: findExcess(principal, turn, state, tokensInEstimate, creditsEstimate.min),
    warnings,
  };
}

interface AccountState {
  creditsFree: number;
  tokensUsed: number;
  systemPrompt: string | null;
  sessionFound: boolean;
  turnCount: number;
}

async function readState(principal: Principal, turn: TurnInput): Promise<AccountState> {
  const { rows } = await db().query<AccountState>({
    name: "quote-state",
    text: `
      SELECT a.credit_balance - a.credit_reserved AS "creditsFree", p.system_prompt AS "systemPrompt",
        coalesce((SELECT tokens_used FROM account_periods m WHERE m.account_id = a.id
                  AND m.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS "tokensUsed",
        s.id IS NOT NULL AS "sessionFound", coalesce(s.turn_count, 0) AS "turnCount"
      FROM accounts a JOIN projects p ON p.account_id = a.id AND p.id = $2
      LEFT JOIN sessions s ON s.id = $3 AND s.project_id = p.id AND ($4::text IS NULL OR s.end_user_id = $4)
      WHERE a.id = $1`,
    values: [principal.accountId, principal.projectId, turn.sessionId ?? null, turn.endUserId ?? null],
  });
  const state = rows[0];
  if (!state || (turn.sessionId !== undefined && !state.sessionFound)) throw notFound("The session");
  return state;
}

/** What goes to the model, and what the call pays for. */
interface CountedInput {
  tokens: number;
  credits: { min: number; max: number };
}

interface CountedFile {
  tokens: number;
  /** Credits for its transcript. */
  soundCredits: number;
  /** One call does not take it: `tokens` are of all that can be read of it. */
  isTooLong: boolean;
  /** Pages that would be shown as pictures in its parts. */
  pictures: number;
}

/** Null when the call would fail before the model is asked. */
async function countInput(
  principal: Principal,
  turn: TurnInput,
  state: AccountState,
  model: string,
  warnings: string[],
): Promise<CountedInput | null> {
  const request = await buildModelRequest(
    {
      turnId: "",
      sessionId: turn.sessionId ?? "",
      projectId: principal.projectId,
      endUserId: turn.endUserId ?? null,
      position: state.turnCount,
      input: turn.input,
      fileContent: turn.fileContent ?? null,
      templateId: turn.template?.id ?? null,
      templateVersion: turn.template?.version ?? null,
      systemPrompt: state.systemPrompt,
    },
    model,
    { payer: null },
  );
  const window = inputBudgetTokens(findModel(model));
  let { tokensInEstimate: tokens, soundCredits, isTooLong } = request;
  const { system, knowledge, memory } = request.context.tokens;
  const fixedTokens = system + knowledge + memory + estimateTokens(turn.input);
  const partTokens = roomForParts(model, fixedTokens)?.tokens ?? 0;
  let textTokens = estimateTokens(turn.fileContent ?? "");
  let pictures = 0;
  for (const file of turn.files ?? []) {
    const counted = await countFile(file, { model, maxTokens: Math.max(1, window - tokens) }, partTokens, warnings);
    if (counted === null) return null;
    tokens += counted.tokens;
    textTokens += counted.tokens;
    soundCredits += counted.soundCredits;
    pictures += counted.pictures;
    isTooLong ||= counted.isTooLong;
  }
  if (isTooLong) {
    const leastParts = Math.max(1, Math.ceil(pictures / MAX_PICTURES_PER_REQUEST));
    return countReading(estimateReading(model, fixedTokens, textTokens, leastParts), soundCredits, warnings);
  }
  const sent = Math.min(tokens, window);
  const { min, max } = estimateCredits(model, sent);
  return { tokens: sent, credits: { min: min + soundCredits, max: max + soundCredits } };
}

/** Of a text that is read in parts. */
function countReading(
  { parts, tokensIn, creditsMin, creditsMax }: ReadingEstimate,
  soundCredits: number,
  warnings: string[],
): CountedInput {
  if (parts > 1) {
    warnings.push(`The text is more than the model takes at once: it would be read in about ${parts} parts.`);
  }
  return { tokens: tokensIn, credits: { min: creditsMin + soundCredits, max: creditsMax + soundCredits } };
}

async function countFile(
  { store, storageKey, size, name, contentType }: UploadDraft,
  room: { model: string; maxTokens: number },
  partTokens: number,
  warnings: string[],
): Promise<CountedFile | null> {
  const bytesSource = async () => {
    const found = await fileStoreOf(store).read(storageKey);
    if (!found) throw notFound("The file");
    return found.stream;
  };
  try {
    const file = { bytesSource, size, name, contentType, ...room, isQuote: true };
    const { soundSeconds, ...once } = await understandFile(file);
    const isTooLong = once.extraction.leftOut !== undefined || once.extraction.skipped?.pagesReason === "limit";
    const whole = isTooLong && (await understandFile({ ...file, maxTokens: MAX_READING_TOKENS, partTokens }));
    const { extraction, pagesToShow } = whole || once;
    if (extraction.leftOut) warnings.push("The file is longer than can be read: only its beginning would be.");
    const { skipped } = extraction;
    if (skipped?.pagesReason === "limit") {
      warnings.push(`The file has more pages without text than can be shown: ${skipped.pages} would be left out.`);
    }
    const soundCredits = soundSeconds === undefined ? 0 : creditsForSound([soundSeconds]);
    const { pages, tokensEach } = pagesToShow ?? { pages: [], tokensEach: 0 };
    const tokens = extraction.tokens + Math.ceil(pages.length * tokensEach);
    return { tokens, soundCredits, isTooLong, pictures: pages.length };
  } catch (error) {
    if (!(error instanceof TurnError)) throw error;
    warnings.push(`${error.message} The call would fail with ${error.code} and cost nothing.`);
    return null;
  }
}

function estimate({ credits: { min, max } }: CountedInput, maxCredits: number | undefined, warnings: string[]) {
  if (maxCredits === undefined) return { min, max };
  if (maxCredits < min) {
    warnings.push("maxCredits is less than the call costs: it would fail with MAX_CREDITS_REACHED and cost nothing.");
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
