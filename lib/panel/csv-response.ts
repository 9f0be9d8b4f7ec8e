/**
 * A CSV document as a download, read as fast as it is taken. When reading fails on the way the connection breaks, so that
 * nobody takes a part for the whole.
 * @param name of the file, without its ending: plain letters, digits and `-`
 */
export function csvResponse(name: string, pieces: AsyncGenerator<string, void>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
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
