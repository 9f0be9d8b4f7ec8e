interface TextFile {
  /** With its ending: plain letters, digits, `-` and `_`. */
  name: string;
  contentType: string;
  /** What stands before the first piece. */
  start?: string;
}

/**
 * A text that is made on the way as a download for people, read as fast as it is taken, and no further once they leave. When
 * reading fails on the way the connection breaks, so that nobody takes a part for the whole.
 */
export function textResponse(
  { name, contentType, start = "" }: TextFile,
  pieces: AsyncGenerator<string, void>,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (start !== "") controller.enqueue(encoder.encode(start));
    },
    async pull(controller) {
      let piece = await pieces.next();
      // Nothing was found so far; whoever left meanwhile has ended the pieces by now.
      while (!piece.done && piece.value === "") piece = await pieces.next();
      if (piece.done) controller.close();
      else controller.enqueue(encoder.encode(piece.value));
    },
    async cancel() {
      await pieces.return();
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": `${contentType}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}
