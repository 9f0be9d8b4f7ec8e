import { db } from "@/lib/db/pool";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { turnStops } from "@/lib/services/turns/turn-stops";

const HEARTBEAT_MS = 5_000;

/**
 * Says every few seconds that the turn's worker is alive, which also shows whether the turn is still its own; at once when a stop
 * of the turn is announced.
 * @param onLost the turn ended, was canceled or has another worker; may be called more than once
 * @returns what ends it
 */
export function beatTurn(turn: ClaimedTurn, onLost: () => void): () => void {
  const beat = () => void writeBeat(turn, onLost);
  const heartbeat = setInterval(beat, HEARTBEAT_MS);
  heartbeat.unref();
  const endWatch = turnStops().watch(turn.turnId, beat);
  return () => {
    clearInterval(heartbeat);
    endWatch();
  };
}

async function writeBeat({ turnId, generation }: ClaimedTurn, onLost: () => void): Promise<void> {
  try {
    const { rowCount } = await db().query({
      name: "beat-turn",
      // A part of a long text may wait for the model for longer than the sweep does, beside others that are read.
      text: "UPDATE turns SET heartbeat_at = greatest(heartbeat_at, now()) WHERE id = $1 AND generation = $2 AND status = 'running'",
      values: [turnId, generation],
    });
    if (!rowCount) onLost();
  } catch {
    // The database is away: the write of the text, or its end, will say so.
  }
}
