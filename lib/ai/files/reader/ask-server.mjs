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
