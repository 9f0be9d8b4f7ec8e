import { pictureParts } from "@/lib/ai/files/pages/picture-parts";
import type { ModelMessage, ModelPart } from "@/lib/ai/model-message";
import { streamAnswer } from "@/lib/ai/model-port";
import { hasTextOnPages } from "@/lib/domain/document-ranges";
import { findModel } from "@/lib/domain/model-catalog";
import { MAX_PART_TOKENS_OUT } from "@/lib/domain/reading-plan";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { askWithRoom } from "@/lib/services/turns/ask-with-room";
import { type ClaimedTurn, findClaimedTurn } from "@/lib/services/turns/claim-together";
import { type FailedOutcome, failOrRetry } from "@/lib/services/turns/fail-or-retry";
import { type BegunPart, beginPart, outOfCredits } from "@/lib/services/turns/parts/begin-part";
import { drawPartPages } from "@/lib/services/turns/parts/draw-part-pages";
import { keepPart } from "@/lib/services/turns/parts/keep-part";
import { notesOf } from "@/lib/services/turns/parts/part-notes";
import {
  emptyPartNotes,
  joinPrompt,
  partPrompt,
  renderResult,
  textPart,
} from "@/lib/services/turns/parts/part-prompts";
import { loadPartRoom } from "@/lib/services/turns/parts/part-room";
import { type PartCoverage, type PartRef, readResults } from "@/lib/services/turns/parts/turn-part";
import { tellOfLimit } from "@/lib/services/turns/tell-of-limit";
import { turnLane } from "@/lib/services/turns/turn-lane";
import { announceTurnStop } from "@/lib/services/turns/turn-stops";
import { TurnLostError, TurnWriter } from "@/lib/services/turns/turn-writer";

/** What follows a part: the next one, another try, or nothing, since the turn ended or has another worker. */
export type PartOutcome = { status: "done" } | FailedOutcome;

/**
 * Reads one part of a turn's text, or joins results of earlier parts, and keeps what the model took from it. A unit of its
 * own: run again after a crash it asks the model only for what was not kept, and a worker that lost the turn keeps nothing.
 * A part that fails for good fails the turn.
 * @param attempt 0 for the first, of this part
 * @throws what is no fault of the call (database away, a bug): the queue tries again
 */
export async function readPart(part: PartRef, attempt: number): Promise<PartOutcome> {
  const turn = await findClaimedTurn(part.turnId, part.generation);
  if (!turn) return { status: "ended" };
  // Nothing is streamed: what is wanted of it is the sign of life, and to hear when the turn is stopped.
  const watch = new TurnWriter(turn);
  try {
    const begun = await beginPart(part);
    if (begun) await askAndKeep(turn, part, begun, watch.signal);
    return { status: "done" };
  } catch (error) {
    if (error instanceof TurnLostError) return { status: "ended" };
    if (!(error instanceof TurnError)) throw error;
    const outcome = await failOrRetry(turn, error, attempt);
    await tellOfLimit(turn, outcome, attempt).catch(() => {});
    // Other parts that are being read would learn of it only at their next sign of life.
    if (outcome.status === "ended") await announceTurnStop(turn.turnId).catch(() => {});
    return outcome;
  } finally {
    await watch.close();
  }
}

async function askAndKeep(turn: ClaimedTurn, part: PartRef, begun: BegunPart, signal: AbortSignal): Promise<void> {
  const { model, covers, affordableTokensOut, maxCredits } = begun;
  const prompt = await promptOf(turn, part, begun, signal);
  if (!prompt) return keepEmpty(turn, part, covers);
  const { system, room } = await loadPartRoom(turn, model);
  const messages: ModelMessage[] = [
    { role: "system", parts: [{ type: "text", text: system }] },
    { role: "user", parts: prompt },
  ];
  const longest = Math.min(MAX_PART_TOKENS_OUT, findModel(model).maxOutputTokens);
  const asked = {
    model,
    messages,
    maxOutputTokens: Math.min(longest, affordableTokensOut),
    signal,
    idempotencyKey: `${part.turnId}:part:${part.level}:${part.position}`,
  };
  const answer = await askWithRoom(messages, () => streamAnswer(asked), { lane: turnLane(turn), signal });
  if (answer.finishReason === "length" && affordableTokensOut < longest) throw outOfCredits(maxCredits);
  // Knowledge that grew since the plan leaves the least there is.
  const { output, heldBack } = notesOf(answer, covers, room?.resultTokens ?? LEAST_RESULT_TOKENS);
  const { tokensIn, tokensOut } = answer;
  const outputTokens = estimateTokens(renderResult({ covers, output }));
  await keepPart(part, turn.sessionId, covers, { output, outputTokens, tokensIn, tokensOut, heldBack });
}

const LEAST_RESULT_TOKENS = 500;

/** Null when nothing is there to ask about: pages without text that turned out to be empty, or cannot be drawn. */
async function promptOf(
  turn: ClaimedTurn,
  part: PartRef,
  { covers, content, count, ...begun }: BegunPart,
  signal: AbortSignal,
): Promise<ModelPart[] | null> {
  if (content === null) return [textPart(joinPrompt(turn.input, await sourcesOf(part, begun)))];
  const drawing = await drawPartPages(turn, part, covers, signal);
  if (drawing && drawing.pictures.length === 0 && !hasTextOnPages(content)) return null;
  const pictures = drawing ? pictureParts(covers.ranges[0]?.name ?? "", drawing.pictures) : [];
  const unreadable = drawing?.drawn.unreadable.length ?? 0;
  return partPrompt(turn.input, { covers, text: content, number: part.position + 1, count, pictures, unreadable });
}

/** The model is not asked: it could only make something up. */
async function keepEmpty({ sessionId }: ClaimedTurn, part: PartRef, covers: PartCoverage): Promise<void> {
  const output = emptyPartNotes(covers);
  const outputTokens = estimateTokens(renderResult({ covers, output }));
  await keepPart(part, sessionId, covers, { output, outputTokens, tokensIn: 0, tokensOut: 0 });
}

async function sourcesOf(
  { turnId, level }: PartRef,
  { firstSource, lastSource }: Pick<BegunPart, "firstSource" | "lastSource">,
) {
  const below = await readResults(turnId, level - 1);
  return below.filter(({ position }) => position >= (firstSource ?? 0) && position <= (lastSource ?? -1));
}
