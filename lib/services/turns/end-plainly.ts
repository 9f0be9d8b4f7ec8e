import { isRefusedStatement, isUniqueViolation } from "@/lib/db/failures";
import { hotDb } from "@/lib/db/pool";
import { againWhenTurnedBack } from "@/lib/db/turned-back";
import { processSingleton } from "@/lib/process-singleton";
import { settleTurns } from "@/lib/services/turns/settle-turns";
import { lastPieceOf, terminalPayload, unsettledCompletion } from "@/lib/services/turns/terminal-payload";
import type { CompletedEnd, EndingTurn, KnownTurn } from "@/lib/services/turns/turn-end";
import type { EndedTurn } from "@/lib/services/turns/write-ends";
import { together } from "@/lib/together";

/** An answered turn whose end, as far as its worker knows, is all that there is to write. */
export interface PlainEnding extends EndingTurn {
  generation: number;
  end: CompletedEnd;
  claimed: KnownTurn;
}

const MAX_TOGETHER = 50;

/** A completed turn with no receivers, no made output and nothing to remember. */
export function isPlain(ending: EndingTurn): ending is PlainEnding {
  const { end, claimed, generation } = ending;
  if (!claimed || claimed.hasReceivers || generation === null || end.status !== "completed") return false;
  return !end.outputDraft && !end.isMemoryDue;
}

/**
 * Ends a turn of which nobody is to be told and that no other of its session waits for: charge, usage and terminal event in one
 * statement, and those of turns that end at once in the same.
 * @returns null when that is not so, or the turn is not the worker's any more; then nothing was written
 */
export function endPlainly(ending: PlainEnding): Promise<EndedTurn | null> {
  return processSingleton("end-plainly", () =>
    together({
      work: endAllPlainly,
      max: MAX_TOGETHER,
      keyOf: ({ claimed }: PlainEnding) => claimed.accountId,
      isRepeatable: isRefusedStatement,
    }),
  )(ending);
}

async function endAllPlainly(endings: PlainEnding[]): Promise<(EndedTurn | null)[]> {
  const [first] = endings;
  if (new Set(endings.map(({ turnId }) => turnId)).size < endings.length || !first) return endings.map(() => null);
  const extras = endings.map(({ claimed, end }) => ({
    eventData: unsettledCompletion(claimed, end),
    lastPiece: lastPieceOf(claimed.sessionId, end),
  }));
  try {
    // An answer that cannot be written down is asked for anew.
    const settled = await againWhenTurnedBack(() => settleTurns(hotDb(), endings, extras));
    return settled.map((turn, index) => {
      const { end } = endings[index] ?? first;
      const lastPiece = extras[index]?.lastPiece ?? null;
      if (!turn || turn.seq === null) return null;
      const event = {
        sessionId: turn.session_id,
        type: "completed" as const,
        data: terminalPayload(turn, end),
        seq: turn.seq,
      };
      return { event, lastPiece, hasOutboxRows: false, requestId: turn.request_id, leftover: null };
    });
  } catch (error) {
    // A chunk of a worker that is being stopped took the same place in the log: the long way takes the next one.
    if (endings.length === 1 && isUniqueViolation(error, "session_events_pkey")) return [null];
    throw error;
  }
}
