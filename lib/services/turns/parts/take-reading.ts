import { db } from "@/lib/db/pool";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import { queueSilenceSeconds } from "@/lib/services/turns/redispatch-turns";

/** A reading that this worker took: its steps write under the generation. */
export interface TakenReading {
  generation: number;
  /** Of the text. */
  parts: number;
  /** Positions of those that are still to be read, in their order; absent in what an older server kept: all. */
  missing?: number[];
}

/**
 * Takes a turn that is read in parts: whoever read it before can no longer write, and what was read stays read.
 * @returns null when there is nothing to read any more: the turn ended
 */
export async function takeReading(turnId: string): Promise<TakenReading | null> {
  const turn = await claimTurn(turnId, true);
  if (!turn || !(await expectSilence(turn, queueSilenceSeconds()))) return null;
  const { rows } = await db().query<Required<Omit<TakenReading, "generation">>>({
    name: "count-parts",
    text: `SELECT count(*)::int AS parts,
                  coalesce(array_agg(position ORDER BY position) FILTER (WHERE output IS NULL), '{}') AS missing
           FROM turn_parts WHERE turn_id = $1 AND level = 0`,
    values: [turnId],
  });
  return { generation: turn.generation, ...(rows[0] ?? { parts: 0, missing: [] }) };
}
