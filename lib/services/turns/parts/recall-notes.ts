import type { Transaction } from "@/lib/db/pool";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { noteDrawnPages } from "@/lib/services/turns/parts/drawn-pages";
import type { DrawnPages, PartCoverage } from "@/lib/services/turns/parts/turn-part";

/** For how long the notes of a turn that failed, or was canceled, wait for another try. */
export const NOTES_KEPT_HOURS = 24;

type Planned = Pick<ClaimedTurn, "turnId" | "sessionId" | "generation">;

/**
 * Gives the parts of a turn the notes that an earlier turn of its session made of them, where that was asked the very same and failed
 * later, and removes what such turns left behind. What the provider's filter held back is asked for again.
 * @returns how many parts need not be read
 */
export async function recallNotes(tx: Transaction, turn: Planned): Promise<number> {
  const { rows } = await tx.query<{ covers: PartCoverage }>({
    ...RECALL_NOTES,
    values: [turn.turnId, turn.sessionId, turn.generation + 1],
  });
  const drawn = Map.groupBy(
    rows.flatMap(({ covers: { pictures } }) => (pictures?.drawn ? [{ ...pictures, drawn: pictures.drawn }] : [])),
    ({ fileId }) => fileId,
  );
  for (const [fileId, pictures] of drawn) {
    const pages: DrawnPages[] = pictures.map((one) => one.drawn);
    await noteDrawnPages(tx, fileId, pages);
  }
  return rows.length;
}

/** As asked by the worker that takes the reading next: a turn of which all is there has still written none of its answer. */
const RECALL_NOTES = {
  name: "recall-notes",
  text: `
    WITH earlier AS (
      DELETE FROM turn_parts p USING turns t
      WHERE t.session_id = $2 AND t.id <> $1 AND t.status NOT IN ('queued', 'running') AND p.turn_id = t.id
      RETURNING p.fingerprint, p.covers, p.output, p.output_tokens, p.tokens_in, p.tokens_out, p.done_at
    )
    UPDATE turn_parts p SET covers = e.covers, output = e.output, output_tokens = e.output_tokens, tokens_in = e.tokens_in,
           tokens_out = e.tokens_out, done_at = e.done_at, content = NULL,
           asked_generation = $3
    FROM earlier e
    WHERE p.turn_id = $1 AND p.level = 0 AND p.output IS NULL AND p.fingerprint = e.fingerprint AND e.output IS NOT NULL
      AND NOT e.covers ? 'heldBack'
    RETURNING p.covers`,
};
