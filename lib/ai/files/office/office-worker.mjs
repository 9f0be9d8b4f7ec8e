// Reads the text of one Office document, in a thread that may be ended at any moment (see host-worker.mjs). Plain
// JavaScript, run from its source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import "../text/whole-letters.mjs";
import { isMissingPart } from "../reader/missing-part.mjs";
import { findReader } from "./find-reader.mjs";
import { Output } from "./output.mjs";
import { Unreadable } from "./unreadable.mjs";

// A document has no business with the network.
globalThis.fetch = undefined;

/** @param isInside of another document: those inside of it are not read, too */
async function readDocument({ bytes, size, maxCharacters }, isInside = false) {
  const output = new Output(maxCharacters);
  const { kind, read } = await findReader({ bytes, size });
  const { sectionCount, inserts, ...skipped } = await read(output, isInside);
  const sections = output.finish();
  const isCut = output.isFull;
  const found = await inserts?.read((inner) => readDocument({ bytes: inner, maxCharacters }, true));
  return {
    kind,
    sections,
    sectionCount: sectionCount ?? sections.length,
    isCut,
    skipped,
    ...(found?.length > 0 && { inserts: found }),
  };
}

try {
  parentPort.postMessage({ result: await readDocument(workerData) });
} catch (error) {
  if (isMissingPart(error)) throw error;
  parentPort.postMessage({
    failure: error instanceof Unreadable ? error.failure : "broken",
    detail: error instanceof Unreadable ? error.message : String(error),
  });
}
