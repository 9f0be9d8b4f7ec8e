/** Tells spreadsheets that UTF-8 follows: Excel takes a text without it for the encoding of its own country. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * A CSV document as a download for people, read as fast as it is taken. When reading fails on the way the connection breaks,
 * so that nobody takes a part for the whole.
 * @param name of the file, without its ending: plain letters, digits and `-`
 */
export function csvResponse(name: string, pieces: AsyncGenerator<string, void>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK));
    },
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return();
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
    },
  });
}
