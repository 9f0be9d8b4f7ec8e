import { isRefusedStatement, isUniqueViolation } from "@/lib/db/failures";
import { hotDb, inTransaction, type Transaction } from "@/lib/db/pool";
import { log } from "@/lib/log";
import { countEndedTurn } from "@/lib/metrics";
import { processSingleton } from "@/lib/process-singleton";
import { discardUpload } from "@/lib/services/files/discard-upload";
import { waitBriefly } from "@/lib/services/files/wait-briefly";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { announceEvent } from "@/lib/services/sessions/announce-event";
import { endPlainly, isPlain } from "@/lib/services/turns/end-plainly";
import type { EndingTurn, KnownTurn, TurnEnd } from "@/lib/services/turns/turn-end";
import { type EndedTurn, writeEnds } from "@/lib/services/turns/write-ends";
import { together } from "@/lib/together";

const MAX_TRIES = 5;
const MAX_TOGETHER = 50;

/**
 * Ends a turn in one transaction: answer or error, charge, usage, terminal event, deliveries, and the hand-over of the
 * session's next turn. Safe to call twice and from several workers: only one call ends the turn.
 * @param generation the worker's own; null ends the turn whoever works on it
 * @param claimed of a worker that knows it: answers that come at once are ended together
 * @returns whether this call ended it
 */
export async function endTurn(
  turnId: string,
  generation: number | null,
  end: TurnEnd,
  claimed?: KnownTurn,
): Promise<boolean> {
  const ending = { turnId, generation, end, claimed };
  const ended =
    (isPlain(ending) && (await endPlainly(ending))) || (await (claimed ? endTogether(ending) : endAlone(ending)));
  if (ended) await tellEnd(turnId, end, ended);
  return ended !== null;
}

/** Tells of an end that is committed. */
export async function tellEnd(turnId: string, end: TurnEnd, ended: EndedTurn): Promise<void> {
  countEndedTurn(end.status, end.status === "failed" ? end.errorCode : undefined);
  if (end.status === "failed") {
    const { requestId, event } = ended;
    const { errorCode: code, reason } = end;
    log("warn", "A turn failed.", { requestId, sessionId: event.sessionId, turnId, code, reason });
  }
  if (ended.hasOutboxRows) wakeRelay();
  const { event, lastPiece } = ended;
  if (lastPiece) {
    const chunk = { sessionId: event.sessionId, turnId, seq: event.seq - 1, type: "chunk" };
    announceEvent({ ...chunk, data: JSON.stringify(lastPiece) });
  }
  announceEvent({ ...event, turnId, data: JSON.stringify(event.data) });
  // What cannot be removed now, the sweep removes.
  if (ended.leftover) await waitBriefly(discardUpload(ended.leftover));
}

/** One transaction for all that came while the one before was under way: each holds the account's row until it ends. */
function endTogether(ending: EndingTurn): Promise<EndedTurn | null> {
  return processSingleton("end-together", () =>
    together({
      work: async (endings: EndingTurn[]) => {
        const isEachOnce = new Set(endings.map((each) => each.turnId)).size === endings.length;
        if (isEachOnce && endings.length > 1)
          return inTransaction((tx, sendCommit) => writeEnds(tx, endings, sendCommit), hotDb());
        const ended: (EndedTurn | null)[] = [];
        for (const each of endings) ended.push(await endAlone(each));
        return ended;
      },
      max: MAX_TOGETHER,
      keyOf: ({ claimed }) => claimed?.accountId ?? "",
      isRepeatable: isRefusedStatement,
    }),
  )(ending);
}

async function endAlone(ending: EndingTurn): Promise<EndedTurn | null> {
  const [ended = null] = await endingWith((tx, sendCommit) => writeEnds(tx, [ending], sendCommit));
  return ended;
}

/** Ends turns in a transaction of their own. */
export async function endingWith<T>(write: (tx: Transaction, sendCommit: () => void) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(write, hotDb());
    } catch (error) {
      // A chunk of a worker that is being stopped took the same place in the log: take the next one.
      if (!isUniqueViolation(error, "session_events_pkey") || attempt === MAX_TRIES) throw error;
    }
  }
}
