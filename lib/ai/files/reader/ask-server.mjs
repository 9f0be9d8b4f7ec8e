// How a reader's thread asks the server for what it needs while it reads (see run-reader.ts). Plain JavaScript, run from its source.
import { parentPort } from "node:worker_threads";

const waiting = new Map();
let count = 0;

/**
 * Waits for the server's answer. Where there is none, the server ends the process.
 * @param isPause whether the time until the answer is none of the reader's own
 */
export function askServer(question, { isPause = false } = {}) {
  if (count === 0) parentPort.on("message", ({ answer, value }) => waiting.get(answer)?.(value));
  count += 1;
  const ask = count;
  return new Promise((resolve) => {
    waiting.set(ask, (value) => {
      waiting.delete(ask);
      resolve(value);
    });
    parentPort.postMessage({ ask, question, isPause });
  });
}

/** The server holds so much of a file at once, for each reader, whatever a file says that its parts are. */
const RANGE_BYTES = 4 * 1024 * 1024;

/** The bytes of the file from `start` to before `end`: put together here, where the reader's own limit of memory holds. */
export async function askRange(start, end) {
  if (end - start <= RANGE_BYTES) return askServer({ range: { start, end: end - 1 } });
  const bytes = new Uint8Array(end - start);
  for (let at = start; at < end; at += RANGE_BYTES) {
    bytes.set(await askServer({ range: { start: at, end: Math.min(at + RANGE_BYTES, end) - 1 } }), at - start);
  }
  return bytes;
}
