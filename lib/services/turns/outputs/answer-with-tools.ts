import type { AnswerRequest, ModelAnswer, ModelMessage } from "@/lib/ai/model-message";
import { streamAnswer } from "@/lib/ai/model-port";
import type { OutputOrder } from "@/lib/ai/tools/output-order";
import { offeredTools, pickOrder } from "@/lib/ai/tools/output-tools";
import { TurnError } from "@/lib/domain/turn-errors";

/** An answer in text, or with an order that takes the text's place. Tokens are those of all its calls. */
export interface AnswerOrOrder extends ModelAnswer {
  order?: OutputOrder;
  /** Orders beside that one, which are not carried out: a turn has one output. */
  leftOut: number;
}

/** How often a model may get its tool calls wrong; the last call is for text alone. */
const MAX_CALLS = 3;

/**
 * Asks the model, with the tools that make pictures, speech and videos. Calls that cannot be carried out go back to it with
 * what is wrong with them, so that it corrects them or answers in text. One that says nothing is asked once more.
 * @throws TurnError as `streamAnswer`; MODEL_REJECTED when nothing usable comes
 */
export async function answerWithTools(request: AnswerRequest, onDelta: (text: string) => void): Promise<AnswerOrOrder> {
  const tools = offeredTools();
  let messages = request.messages;
  let used = { tokensIn: 0, tokensOut: 0, isEstimated: false, text: "" };
  for (let call = 1; ; call++) {
    const isTextOnly = call === MAX_CALLS;
    const key = request.idempotencyKey && call > 1 ? { idempotencyKey: `${request.idempotencyKey}:${call}` } : {};
    const asked = { ...request, ...key, messages, tools, ...(isTextOnly && { isTextOnly }) };
    const answer = await askAgain(asked, await streamAnswer(asked, onDelta), onDelta);
    used = addUse(used, answer);
    const { toolCalls = [] } = answer;
    if (isTextOnly && used.text === "" && toolCalls.length > 0) throw new TurnError("MODEL_REJECTED", UNUSABLE_MESSAGE);
    if (isTextOnly || toolCalls.length === 0) return { ...answer, ...used, leftOut: 0 };
    const picked = pickOrder(toolCalls);
    if ("order" in picked) return { ...answer, ...used, order: picked.order, leftOut: toolCalls.length - 1 };
    // What it says next is no part of the sentence before.
    if (answer.text !== "") onDelta("\n\n");
    messages = [...messages, ...refuse(answer, picked.refusals)];
  }
}

/**
 * Some models end at times without a word and without a reason, and answer when they are asked again. What says nothing then
 * too is the answer: an instruction may want none. Of the two, the second counts.
 */
async function askAgain(
  asked: AnswerRequest,
  answer: ModelAnswer,
  onDelta: (text: string) => void,
): Promise<ModelAnswer> {
  if (answer.text !== "" || answer.toolCalls || answer.finishReason !== "stop") return answer;
  const { idempotencyKey } = asked;
  return streamAnswer({ ...asked, ...(idempotencyKey && { idempotencyKey: `${idempotencyKey}:again` }) }, onDelta);
}

const UNUSABLE_MESSAGE =
  "The AI model asked for a picture, speech or a video in a form that cannot be made. Change the instruction and try again.";

/** What all calls for an answer used, and said. */
export function addUse(
  used: { tokensIn: number; tokensOut: number; isEstimated: boolean; text: string },
  answer: ModelAnswer,
) {
  return {
    tokensIn: used.tokensIn + answer.tokensIn,
    tokensOut: used.tokensOut + answer.tokensOut,
    isEstimated: used.isEstimated || answer.isEstimated,
    text: used.text + answer.text,
  };
}

function refuse({ text, toolCalls = [], thoughts }: ModelAnswer, refusals: string[]): ModelMessage[] {
  return [
    { role: "assistant", parts: text === "" ? [] : [{ type: "text", text }], toolCalls, ...(thoughts && { thoughts }) },
    ...toolCalls.map(({ id }, index): ModelMessage => {
      return { role: "tool", toolCallId: id, parts: [{ type: "text", text: refusals[index] ?? "" }] };
    }),
  ];
}
