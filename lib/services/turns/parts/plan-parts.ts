import { estimatePartTokens } from "@/lib/ai/estimate-messages";
import { splitBlocks } from "@/lib/domain/prompt-blocks";
import { MAX_READING_TOKENS } from "@/lib/domain/reading-plan";
import type { RequestOptions } from "@/lib/services/turns/build-model-request";
import type { ClaimedTurn } from "@/lib/services/turns/claim-turn";
import { loadConversation } from "@/lib/services/turns/load-conversation";
import { type CutPart, cutDocument, type WholeDocument } from "@/lib/services/turns/parts/cut-document";
import { loadPartRoom } from "@/lib/services/turns/parts/part-room";
import { writePlan } from "@/lib/services/turns/parts/write-plan";
import { type ReadFile, readTurnFile } from "@/lib/services/turns/read-turn-file";

/**
 * Cuts the text of a turn whose files or inline text are more than one call takes into parts and writes them down,
 * with the credits that reading them takes promised to the turn. From then on the turn is read part by part.
 * @returns false when the text fits after all, or instructions leave no room to read in: then one call answers
 * @throws TurnError MAX_CREDITS_REACHED, INSUFFICIENT_CREDITS before anything is asked; as `readTurnFile`; TurnLostError
 */
export async function planParts(turn: ClaimedTurn, model: string, options: RequestOptions): Promise<boolean> {
  const { fixedTokens, room } = await loadPartRoom(turn, model);
  if (!room) return false;
  const { documents, soundSeconds } = await wholeDocuments(turn, model, room.tokens, options);
  const parts: CutPart[] = documents.flatMap((document) => cutDocument(document, room.tokens));
  // One part is no more than one call, unless that had no room for all of its pictures.
  if (parts.length <= 1 && !parts[0]?.covers.pictures) return false;
  await writePlan(turn, { model, parts, fixedTokens, soundSeconds });
  return true;
}

interface WholeDocuments {
  documents: WholeDocument[];
  /** Of sound whose transcripts this turn pays for. */
  soundSeconds: number[];
}

async function wholeDocuments(
  turn: ClaimedTurn,
  model: string,
  partTokens: number,
  options: RequestOptions,
): Promise<WholeDocuments> {
  const { files } = await loadConversation(turn);
  const documents: WholeDocument[] = [];
  const soundSeconds: number[] = [];
  for (const file of files.filter(({ turnId }) => turnId === turn.turnId)) {
    const { projectId } = turn;
    const read = await readTurnFile(file, {
      projectId,
      model,
      maxTokens: MAX_READING_TOKENS,
      partTokens,
      ...options,
    });
    if (read.soundSeconds !== undefined) soundSeconds.push(read.soundSeconds);
    documents.push(...textOf(read));
  }
  if (turn.fileContent) documents.push({ name: "fileContent", kind: "text", text: turn.fileContent });
  return { documents, soundSeconds };
}

/** Pictures are for the last call, which sees them as they are. */
function textOf({ file, parts, extraction, pagesToShow }: ReadFile): WholeDocument[] {
  if (extraction.kind === "image" || estimatePartTokens(parts) === 0) return [];
  const { pages, sheets, slides } = extraction;
  const pictures = pagesToShow?.pages.length && { pictures: { fileId: file.id, ...pagesToShow } };
  return parts.flatMap((part) => {
    const block = part.type === "text" ? splitBlocks(part.text).blocks[0] : undefined;
    if (!block) return [];
    const { name, kind, text, note } = block;
    return [{ name, kind, text, ...(note !== undefined && { note }), pages, sheets, slides, ...pictures }];
  });
}
