import { MAX_READING_TOKENS, noRoomToRead, type PartRoom } from "@/lib/domain/reading-plan";
import { limitParallel } from "@/lib/limit-parallel";
import { processSingleton } from "@/lib/process-singleton";
import type { RequestOptions, TurnModelRequest } from "@/lib/services/turns/build-model-request";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { readInlineText } from "@/lib/services/turns/inline-text";
import { loadFiles } from "@/lib/services/turns/load-conversation";
import { type CutPart, cutDocument, inlineDocument, type WholeDocument } from "@/lib/services/turns/parts/cut-document";
import { documentsOfFile } from "@/lib/services/turns/parts/documents-of-file";
import { type LoadedRoom, loadPartRoom } from "@/lib/services/turns/parts/part-room";
import { writePlan } from "@/lib/services/turns/parts/write-plan";
import { readTurnFile } from "@/lib/services/turns/read-turn-file";
import { turnLane } from "@/lib/services/turns/turn-lane";

/**
 * Cuts the text of a turn whose files or inline text are more than one call takes into parts and writes them down,
 * with the credits that reading them takes promised to the turn. From then on the turn is read part by part.
 * @param seen the one call, with what it would read of each file
 * @returns false when the text fits after all, or there is none and the instruction alone is so long: then one call answers
 * @throws TurnError MAX_CREDITS_REACHED, INSUFFICIENT_CREDITS before anything is asked, MODEL_REJECTED where what goes along
 * leaves no room to read in; as `readTurnFile`; TurnLostError
 */
export async function planParts(turn: ClaimedTurn, seen: SeenRequest, options: RequestOptions): Promise<boolean> {
  const { model } = seen;
  const { system, fixedTokens, room } = await loadPartRoom(turn, model);
  if (!room && seen.isCut) throw seen.refusal ?? noRoomToRead();
  if (!room) return false;
  const place = { lane: turnLane(turn), ...(options.signal && { signal: options.signal }) };
  const places = processSingleton("planned-texts", () => limitParallel(MAX_PLANNED_AT_ONCE));
  return places(() => cutAndWrite(turn, seen, { system, fixedTokens, room, options }), place);
}

/**
 * While its parts are written down, all text of a turn is in memory, some of it twice. Hundreds of turns may come to that at once,
 * each with tens of megabytes.
 */
const MAX_PLANNED_AT_ONCE = 8;

async function cutAndWrite(
  turn: ClaimedTurn,
  seen: SeenRequest,
  { system, fixedTokens, room, options }: LoadedRoom & { room: PartRoom; options: RequestOptions },
): Promise<boolean> {
  const { model } = seen;
  const { documents, soundSeconds, characters } = await wholeDocuments(turn, model, room.tokens, options);
  const parts: CutPart[] = [];
  for (const document of documents) parts.push(...(await cutDocument(document, room.tokens)));
  // One part is no more than one call, unless that had no room for all of its pictures, or read less of the text.
  const isAllSeen = !parts[0]?.covers.pictures && characters <= charactersSeen(seen);
  if (parts.length === 0 || (parts.length === 1 && isAllSeen)) return false;
  await writePlan(turn, { model, system, parts, fixedTokens, soundSeconds });
  return true;
}

type SeenRequest = Pick<TurnModelRequest, "model" | "context" | "isCut" | "refusal">;

/** Of the turn's files; one call keeps some room beside a file that a part does not, and reads no blanks without end. */
function charactersSeen({ context: { files } }: SeenRequest): number {
  return files.reduce((sum, { characters }) => sum + (typeof characters === "number" ? characters : 0), 0);
}

interface WholeDocuments {
  documents: WholeDocument[];
  /** Of the files. */
  characters: number;
  /** Of sound whose transcripts this turn pays for. */
  soundSeconds: number[];
}

async function wholeDocuments(
  turn: ClaimedTurn,
  model: string,
  partTokens: number,
  options: RequestOptions,
): Promise<WholeDocuments> {
  const files = await loadFiles(turn);
  const documents: WholeDocument[] = [];
  const soundSeconds: number[] = [];
  let characters = 0;
  for (const file of files.filter(({ turnId }) => turnId === turn.turnId)) {
    const read = await readTurnFile(file, {
      lane: turnLane(turn),
      projectId: turn.projectId,
      model,
      maxTokens: MAX_READING_TOKENS,
      partTokens,
      ...options,
    });
    if (read.soundSeconds !== undefined) soundSeconds.push(read.soundSeconds);
    documents.push(...documentsOfFile(file.id, read, read.pagesToShow));
    characters += read.extraction.characters ?? 0;
  }
  const inline = await readInlineText(turn);
  if (inline) documents.push(inlineDocument(inline));
  return { documents, soundSeconds, characters };
}
