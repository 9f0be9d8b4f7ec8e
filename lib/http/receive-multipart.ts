import { AppError } from "@/lib/domain/errors";
import { BODY_IDLE_SECONDS } from "@/lib/domain/limits";
import { bodyMissing } from "@/lib/http/read-in-time";
import { drainBody } from "@/lib/http/receive-multipart-drain";
import {
  DEFAULT_MAX_FIELD_BYTES,
  DEFAULT_MAX_FIELDS,
  MultipartForm,
  type MultipartFormOptions,
  type ReceivedMultipart,
} from "@/lib/http/receive-multipart-form";
import { fileTooLarge } from "@/lib/storage/byte-meter";

export interface ReceiveMultipartOptions<T> extends MultipartFormOptions<T> {
  /** Undoes `saveFile`; called for every saved file when the call fails after all. */
  discard(saved: NoInfer<T>): Promise<void>;
  /** The longest wait for the next bytes. Default: BODY_IDLE_SECONDS. */
  idleTimeoutSeconds?: number;
}

/** For boundaries and headers of one part. */
const PART_OVERHEAD_BYTES = 4096;

/**
 * Reads a multipart/form-data request, handing each file on as it arrives; no file is ever held in memory and the
 * client is read only as fast as files are saved. Either all of it is good, or every saved file is discarded before
 * this throws. After a failure the rest of the request is read and dropped for a while, in the background, so that
 * the answer reaches a client that is still sending.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_MULTIPART, VALIDATION_FAILED, FILE_TOO_LARGE, and what `saveFile` throws.
 */
export async function receiveMultipart<T>(
  request: Request,
  options: ReceiveMultipartOptions<T>,
): Promise<ReceivedMultipart<T>> {
  const reader = request.body?.getReader();
  let form: MultipartForm<T> | undefined;
  try {
    const contentType = multipartType(request);
    if (!reader) throw new AppError("INVALID_MULTIPART", "The request has no body.");
    refuseDeclaredLength(request, options);
    form = new MultipartForm(contentType, options);
    await feed(form, reader, options.idleTimeoutSeconds ?? BODY_IDLE_SECONDS);
    const received = await form.finish();
    reader.releaseLock();
    return received;
  } catch (error) {
    const saved = form ? await form.abandon(error) : [];
    await Promise.allSettled(saved.map((file) => options.discard(file)));
    if (reader) void drainBody(reader);
    throw error;
  }
}

function multipartType(request: Request): string {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the request as multipart/form-data.");
  }
  return contentType;
}

/** Refused before a byte of it is read, when its own length says that it cannot be right. */
function refuseDeclaredLength<T>(request: Request, options: ReceiveMultipartOptions<T>): void {
  const { files, maxFileBytes, maxFields = DEFAULT_MAX_FIELDS, maxFieldBytes = DEFAULT_MAX_FIELD_BYTES } = options;
  const most = files.max * (maxFileBytes + PART_OVERHEAD_BYTES) + maxFields * (maxFieldBytes + PART_OVERHEAD_BYTES);
  if (Number(request.headers.get("content-length")) > most) throw fileTooLarge(maxFileBytes, files.field);
}

async function feed<T>(
  form: MultipartForm<T>,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  idleTimeoutSeconds: number,
): Promise<void> {
  let isReading = false;
  // Also fires while files are being saved; then the client is not the one who is slow.
  const timer = setTimeout(() => {
    if (isReading)
      form.fail(
        bodyMissing("INVALID_MULTIPART", `No bytes arrived for ${idleTimeoutSeconds} s; send the request again.`),
      );
  }, idleTimeoutSeconds * 1000);
  try {
    for (;;) {
      isReading = true;
      timer.refresh();
      const { value, done } = await form.waitFor(readChunk(reader));
      isReading = false;
      if (done) return;
      await form.write(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (cause) {
    throw bodyMissing("INVALID_MULTIPART", "The request ended before it was complete.", cause);
  }
}
