import type { Hash } from "node:crypto";
import { createMultipartUploader, put } from "@vercel/blob";
import type { ByteMeter } from "@/lib/storage/byte-meter";

/**
 * The library's own multipart `put` holds up to 128 MB per file; parts of this size, two on their way, hold 18 MB.
 * The service takes no part below 5 MB but the last.
 */
const PART_BYTES = 6 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

interface UploadOptions {
  token: string;
  contentType: string;
  abortSignal: AbortSignal;
}
/** Makes one request to the store, bounded in time. */
type Ask = <T>(request: () => Promise<T>) => Promise<T>;
type Uploader = Awaited<ReturnType<typeof createMultipartUploader>>;
type SentPart = Awaited<ReturnType<Uploader["uploadPart"]>>;

/** Stores what `partsOf` gives as one private file: a single part in one request, more of them as a multipart upload. */
export async function uploadParts(
  pathname: string,
  parts: AsyncGenerator<Buffer>,
  options: UploadOptions,
  ask: Ask,
): Promise<void> {
  const command = {
    ...options,
    access: "private" as const,
    addRandomSuffix: false,
    // The key is new. Allowing it makes a repeated request (its first answer lost) succeed.
    allowOverwrite: true,
  };
  const first = await parts.next();
  if (first.done) throw new Error("partsOf() yields at least one part.");
  const second = await parts.next();
  if (second.done) {
    await ask(() => put(pathname, first.value, command));
    return;
  }
  const uploader = await ask(() => createMultipartUploader(pathname, command));
  const sent = await sendParts(uploader, [first.value, second.value], parts, ask);
  await ask(() => uploader.complete(sent));
}

/** The body in buffers of PART_BYTES, metered and hashed; the last one may be smaller, and the only one empty. */
export async function* partsOf(body: AsyncIterable<Uint8Array>, meter: ByteMeter, hash: Hash): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let isFirst = true;
  for await (const chunk of body) {
    meter.add(chunk);
    hash.update(chunk);
    let rest = chunk;
    while (waitingBytes + rest.byteLength > PART_BYTES) {
      const taken = PART_BYTES - waitingBytes;
      waiting.push(rest.subarray(0, taken));
      rest = rest.subarray(taken);
      const part = Buffer.concat(waiting, PART_BYTES);
      waiting = [];
      waitingBytes = 0;
      isFirst = false;
      yield part;
    }
    waiting.push(rest);
    waitingBytes += rest.byteLength;
  }
  if (waitingBytes > 0 || isFirst) yield Buffer.concat(waiting, waitingBytes);
}

async function sendParts(
  uploader: Uploader,
  begun: Buffer[],
  rest: AsyncGenerator<Buffer>,
  ask: Ask,
): Promise<SentPart[]> {
  const sending: Promise<SentPart>[] = [];
  const send = async (part: Buffer) => {
    const number = sending.length + 1;
    const request = ask(() => uploader.uploadPart(number, part));
    request.catch(() => {});
    sending.push(request);
    // At most PARTS_AT_ONCE on their way; the oldest one's failure is met here.
    await sending[number - PARTS_AT_ONCE];
  };
  for (const part of begun) await send(part);
  for await (const part of rest) await send(part);
  return Promise.all(sending);
}
