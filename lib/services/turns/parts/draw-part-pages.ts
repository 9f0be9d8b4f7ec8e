import { buffer } from "node:stream/consumers";
import { pictureTokens } from "@/lib/ai/files/pages/picture-parts";
import { type PagePicture, readPdfPicturesInRuns } from "@/lib/ai/files/pages/read-pdf-pictures";
import type { ReaderSource } from "@/lib/ai/files/reader/read-source";
import { withoutSignature } from "@/lib/ai/files/signed-content.mjs";
import { inTransaction } from "@/lib/db/pool";
import { MAX_HELD_BYTES } from "@/lib/domain/limits";
import { openFileToRead } from "@/lib/services/files/open-file-to-read";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import { noteDrawnPages } from "@/lib/services/turns/parts/drawn-pages";
import type { DrawnPages, PartCoverage, PartRef } from "@/lib/services/turns/parts/turn-part";
import { queueSilenceSeconds } from "@/lib/services/turns/redispatch-turns";
import { turnLane } from "@/lib/services/turns/turn-lane";
import { TurnLostError } from "@/lib/services/turns/turn-writer";

/** The pictures of a part, and what became of its pages without text. */
export interface PartPictures {
  pictures: PagePicture[];
  drawn: DrawnPages;
}

/**
 * Draws the pages without text of a part. What became of each is noted before the model is asked, once, with the part and
 * with the stored file's record: every later try draws the same pages again, which gives the same bytes, so no picture has
 * to be kept. The document is in memory only while it is drawn.
 * @returns null for a part without such pages
 * @throws TurnLostError; the signal's own reason; Error when a page that was drawn before could not be drawn again now
 */
export async function drawPartPages(
  turn: ClaimedTurn,
  part: PartRef,
  { pictures: planned, ranges }: PartCoverage,
  signal: AbortSignal,
): Promise<PartPictures | null> {
  if (!planned) return null;
  const { fileId, pages, drawn } = planned;
  const source = await openDocument(turn.projectId, fileId, signal);
  const limits = { lane: turnLane(turn), signal };
  if (drawn) {
    if (drawn.shown.length === 0) return { pictures: [], drawn };
    const { pictures } = await readPdfPicturesInRuns(source, drawn.shown, limits);
    if (pictures.length < drawn.shown.length) throw new Error("A page of a part could not be drawn a second time.");
    return { pictures, drawn };
  }
  const { pictures, blankPages } = await readPdfPicturesInRuns(source, pages, limits);
  const shown = pictures.map(({ page }) => page);
  const unreadable = pages.filter((page) => !shown.includes(page) && !blankPages.includes(page));
  const name = ranges[0]?.name ?? "";
  const tokens = pictures.reduce((sum, picture) => sum + pictureTokens(name, picture), 0);
  const found = { shown, unreadable, tokens };
  await noteDrawn(part, fileId, found);
  return { pictures, drawn: found };
}

async function openDocument(projectId: string, fileId: string, signal: AbortSignal): Promise<ReaderSource> {
  const file = await openFileToRead(projectId, fileId, signal);
  return file.size > MAX_HELD_BYTES ? file : async () => withoutSignature(await buffer(await file.bytesSource()));
}

/** With the turn locked, so that parts that are drawn at the same time do not write over each other's note. */
async function noteDrawn(part: PartRef, fileId: string, drawn: DrawnPages): Promise<void> {
  await inTransaction(async (tx) => {
    if (!(await expectSilence(part, queueSilenceSeconds(), tx))) throw new TurnLostError();
    const { rowCount } = await tx.query({
      name: "note-part-drawn",
      text: `UPDATE turn_parts SET covers = jsonb_set(covers, '{pictures,drawn}', $3::jsonb)
             WHERE turn_id = $1 AND level = 0 AND position = $2 AND NOT covers->'pictures' ? 'drawn'`,
      values: [part.turnId, part.position, JSON.stringify(drawn)],
    });
    if (rowCount !== 1) throw new TurnLostError();
    await noteDrawnPages(tx, fileId, [drawn]);
  });
}
