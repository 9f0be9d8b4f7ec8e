import { OUTPUT_TYPE_OF, type OutputOrder } from "@/lib/ai/tools/output-order";
import { creditsFor } from "@/lib/domain/credits";
import { env } from "@/lib/env";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnOutput } from "@/lib/services/turns/outputs/turn-output";
import { TurnLostError, type TurnWriter } from "@/lib/services/turns/turn-writer";

/**
 * Ends a turn with the file that was made for it. What the model said before the file gives way to one line that says what
 * the file is and where, which is the turn's output (contract §4).
 * @throws TurnLostError; AppError SERVICE_UNAVAILABLE when the stored bytes were swept
 */
export async function completeOutput(
  turn: ClaimedTurn,
  writer: TurnWriter,
  { order, credits, answer }: TurnOutput,
  draft: UploadDraft,
): Promise<void> {
  await writer.restart();
  writer.push(describeOutput(order, draft, answer.leftOut));
  const output = await writer.finish();
  const { model, tokensIn, tokensOut, soundCredits, context } = answer;
  const isMine = await endTurn(turn.turnId, turn.generation, {
    status: "completed",
    output,
    outputType: OUTPUT_TYPE_OF[order.tool],
    outputDraft: draft,
    tokensIn,
    tokensOut,
    credits: creditsFor(model, tokensIn, tokensOut) + soundCredits + credits,
    model,
    context,
    isMemoryDue: turn.isMemoryOn,
  });
  if (!isMine) throw new TurnLostError();
}

const KINDS = { create_image: "Image", create_speech: "Audio", create_video: "Video" } as const;
const MAX_SUBJECT_CHARACTERS = 160;

/** One line: kind, format and size, what was ordered, and the address of this very file. */
function describeOutput(order: OutputOrder, { name, size, url }: UploadDraft, leftOut: number): string {
  const subject = oneLine(order.tool === "create_speech" ? order.text : order.prompt);
  const format = name.slice(name.lastIndexOf(".") + 1).toUpperCase();
  const length = order.tool === "create_video" ? `${order.seconds} s, ` : "";
  const rest = leftOut > 0 ? ` One file is made at a time: ask again for the other ${leftOut}.` : "";
  const demo = env().IS_DEMO_MODEL ? " This is a demo file: no AI model is connected." : "";
  return `${KINDS[order.tool]} (${format}, ${length}${sizeText(size)}): “${subject}” ${url}${rest}${demo}`;
}

function oneLine(text: string): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  if (characters.length <= MAX_SUBJECT_CHARACTERS) return characters.join("");
  return `${characters
    .slice(0, MAX_SUBJECT_CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}

function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.max(1, Math.round(kilobytes))} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}
