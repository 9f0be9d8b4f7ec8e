// Takes the pictures out of one Office document, in a thread that may be ended at any moment (see host-worker.mjs). Plain
// JavaScript, run from its source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import { isMissingPart } from "../reader/missing-part.mjs";
import { findReader } from "./find-reader.mjs";

// A document has no business with the network.
globalThis.fetch = undefined;

/** Sends each picture as it is packed, with the number of its slide, and at last how many there are. */
async function sendPictures({ bytes, size, maxPictures, maxBytes }) {
  const { pictures } = await findReader({ bytes, size });
  const found = (await pictures?.()) ?? [];
  let left = maxBytes;
  for (const { slide, read } of found.slice(0, maxPictures)) {
    const picture = await read(left);
    if (!picture) continue;
    left -= picture.length;
    parentPort.postMessage({ part: { slide, bytes: new Uint8Array(picture) } });
  }
  return { count: found.length };
}

try {
  parentPort.postMessage({ result: await sendPictures(workerData) });
} catch (error) {
  if (isMissingPart(error)) throw error;
  parentPort.postMessage({ failure: "broken", detail: String(error) });
}
