import type { AnswerRequest, ModelAnswer, ModelMessage } from "@/lib/ai/model-message";
import { streamAnswer } from "@/lib/ai/model-port";
import { cutText } from "@/lib/domain/cut-text";
import type { OutputSchema } from "@/lib/domain/schema-keywords";
import { TurnError } from "@/lib/domain/turn-errors";
import { type AnswerOrOrder, addUse } from "@/lib/services/turns/outputs/answer-with-tools";
import { checkOutput } from "@/lib/services/turns/outputs/check-output";

/** How often the model may answer. */
const MAX_CALLS = 3;
const MAX_FAULT_CHARACTERS = 300;

interface Tries {
  onDelta: (text: string) => void;
  /** How long an answer may be that is still paid for after so many tokens, in tokens; undefined: as long as any. */
  leftAfter: (used: { tokensIn: number; tokensOut: number }) => number | undefined;
}

/**
 * Asks the model for JSON that fits the client's schema (docs/decisions/0044). What does not fit goes back to it with what is
 * wrong. The answer is handed on in one piece once it fits: half of it is of no use to a program, and one that does not fit is
 * never seen. An answer that was cut comes back without text, and so does one for which nothing is left to pay another try.
 * @throws TurnError as `streamAnswer`; OUTPUT_SCHEMA_NOT_MET when no answer fits
 */
export async function answerAsSchema(
  request: AnswerRequest,
  outputSchema: OutputSchema,
  { onDelta, leftAfter }: Tries,
): Promise<AnswerOrOrder> {
  let asked = request;
  let used = { tokensIn: 0, tokensOut: 0, isEstimated: false, text: "" };
  for (let call = 1; ; call++) {
    const key = request.idempotencyKey && call > 1 ? { idempotencyKey: `${request.idempotencyKey}:${call}` } : {};
    const answer = await streamAnswer({ ...asked, ...key, outputSchema });
    used = addUse(used, answer);
    const { tokensIn, tokensOut, isEstimated } = used;
    const settled = { ...answer, tokensIn, tokensOut, isEstimated, leftOut: 0 };
    const checked = checkOutput(outputSchema, answer.text);
    if ("output" in checked) {
      onDelta(checked.output);
      return { ...settled, text: checked.output, finishReason: "stop" };
    }
    if (isCut(answer)) return { ...settled, text: "" };
    if (call === MAX_CALLS) throw notMet(checked.fault);
    const maxOutputTokens = leftAfter(used);
    if (maxOutputTokens === 0) return { ...settled, text: "", finishReason: "length" };
    const messages = [...asked.messages, ...sendBack(answer, checked.fault)];
    asked = { ...asked, messages, ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
  }
}

function isCut({ finishReason }: ModelAnswer): boolean {
  return finishReason === "length" || finishReason === "content_filter";
}

function sendBack({ text }: ModelAnswer, fault: string): ModelMessage[] {
  const correction = `That answer does not fit the JSON Schema.\n${fault}\nAnswer again with the whole JSON object, and with nothing else.`;
  return [
    { role: "assistant", parts: [{ type: "text", text }] },
    { role: "user", parts: [{ type: "text", text: correction }] },
  ];
}

function notMet(fault: string): TurnError {
  const said = cutText(fault.replaceAll("\n", " "), MAX_FAULT_CHARACTERS);
  return new TurnError(
    "OUTPUT_SCHEMA_NOT_MET",
    `The AI model gave no answer that fits outputSchema, in ${MAX_CALLS} tries. Nothing was charged; make the schema simpler or say more in the instruction. Of the last try: ${said}`,
  );
}
