import { limitParallel } from "@/lib/limit-parallel";
import { textResponse } from "@/lib/panel/text-response";
import { processSingleton } from "@/lib/process-singleton";

/** Tells spreadsheets that UTF-8 follows: Excel takes a text without it for the encoding of its own country. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Each keeps the database, a connection to it and then this thread busy: who takes lists away beside others waits for them. */
const MAX_PIECES_AT_ONCE = 2;

/**
 * A CSV document as a download for people. However many are taken at once, few pieces are read at a time, and those of each account
 * in turn: calls go on meanwhile.
 * @param name of the file, without its ending: plain letters, digits and `-`
 */
export function csvResponse(
  name: string,
  { accountId }: { accountId: string },
  pieces: AsyncGenerator<string, void>,
): Response {
  const file = { name: `${name}.csv`, contentType: "text/csv", start: BYTE_ORDER_MARK };
  return textResponse(file, inTurn(pieces, accountId));
}

async function* inTurn(pieces: AsyncGenerator<string, void>, lane: string): AsyncGenerator<string, void> {
  const run = processSingleton("csv-pieces", () => limitParallel(MAX_PIECES_AT_ONCE));
  try {
    for (;;) {
      const piece = await run(() => pieces.next(), { lane });
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    await pieces.return();
  }
}
