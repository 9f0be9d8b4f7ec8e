type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * The same bytes, which fail instead of ending where there are less of them than were promised, and before one is given that was
 * not. What is cut short while it is read ends like any other stream: whoever reads it would take a part for the whole.
 * Asks for no piece before it is wanted.
 * @param onOther makes the error, of how many bytes came
 * @param onBroken told of what the stream itself fails with: whoever sends the bytes on can only end
 */
export function exactBytes(
  stream: Bytes,
  promised: number,
  onOther: (came: number) => Error,
  onBroken: (error: unknown, came: number) => void = () => {},
): Bytes {
  const reader = stream.getReader();
  let came = 0;
  let isLeft = false;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          if (!isLeft) onBroken(error, came);
          throw error;
        });
        // Letting go of it ends what was awaited, too.
        if (isLeft) return;
        came += value?.byteLength ?? 0;
        if (came > promised || (done && came < promised)) {
          const error = onOther(came);
          // Not waited for: what it reads from may be what hangs.
          reader.cancel(error).catch(() => {});
          throw error;
        }
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel(reason) {
        isLeft = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
