// A PDF as its readers open it. Plain JavaScript, run from its source by their threads.
import { getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { askServer } from "../reader/ask-server.mjs";

/** What lies together is asked for at once. */
const RANGE_BYTES = 64 * 1024;

/** @param size of a document that is not given as a whole: what is needed of it is asked for */
export async function openDocument({ bytes, size }, settings) {
  if (size === undefined) return getDocumentProxy(bytes, settings);
  const { PDFDataRangeTransport } = await getResolvedPDFJS();
  class Ranges extends PDFDataRangeTransport {
    async requestDataRange(begin, end) {
      this.onDataRange(begin, await askServer({ range: { start: begin, end: end - 1 } }));
    }
  }
  const range = new Ranges(size, null);
  return getDocumentProxy(undefined, {
    ...settings,
    range,
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    disableStream: true,
  });
}
