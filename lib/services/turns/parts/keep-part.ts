import { inTransaction } from "@/lib/db/pool";
import { describeCoverage } from "@/lib/domain/document-ranges";
import { announceEvent } from "@/lib/services/sessions/announce-event";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import { appendProgress } from "@/lib/services/turns/parts/append-progress";
import type { HeldBack, PartCoverage, PartRef } from "@/lib/services/turns/parts/turn-part";
import { queueSilenceSeconds } from "@/lib/services/turns/redispatch-turns";
import { TurnLostError } from "@/lib/services/turns/turn-writer";

export interface ReadPart {
  output: string;
  /** Of the output as the next call takes it, estimated. */
  outputTokens: number;
  /** As the provider counts. */
  tokensIn: number;
  tokensOut: number;
  heldBack?: HeldBack | undefined;
}

/**
 * Keeps what was read of a part, once, and tells the timeline of it.
 * @throws TurnLostError
 */
export async function keepPart(part: PartRef, sessionId: string, covers: PartCoverage, read: ReadPart): Promise<void> {
  const event = await inTransaction(async (tx) => {
    // The next part may wait long in the queue. Locks the turn as well.
    if (!(await expectSilence(part, queueSilenceSeconds(), tx))) throw new TurnLostError();
    const { rows } = await tx.query<{ done: number; total: number }>({
      ...KEEP_PART,
      values: [
        part.turnId,
        part.level,
        part.position,
        read.output,
        read.outputTokens,
        read.tokensIn,
        read.tokensOut,
        JSON.stringify({ heldBack: read.heldBack }),
      ],
    });
    const count = rows[0];
    // Somebody kept it before; what stands there is what the others go on with.
    if (!count) return null;
    return appendProgress(
      tx,
      { sessionId, turnId: part.turnId },
      {
        stage: part.level === 0 ? "read" : "joined",
        done: count.done + 1,
        total: count.total,
        covers: describeCoverage(covers.ranges),
      },
    );
  });
  if (event) announceEvent(event);
}

const KEEP_PART = {
  name: "keep-part",
  text: `
    WITH kept AS (
      UPDATE turn_parts SET output = $4, output_tokens = $5, tokens_in = $6, tokens_out = $7, done_at = now(),
        covers = covers || $8::jsonb, content = NULL
      WHERE turn_id = $1 AND level = $2 AND position = $3 AND output IS NULL RETURNING turn_id
    )
    SELECT (SELECT count(*) FROM turn_parts p WHERE p.turn_id = $1 AND p.level = $2 AND p.output IS NOT NULL)::int AS done,
           (SELECT count(*) FROM turn_parts p WHERE p.turn_id = $1 AND p.level = $2)::int AS total
    FROM kept`,
};
