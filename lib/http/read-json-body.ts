import { AppError } from "@/lib/domain/errors";
import { MAX_JSON_BYTES } from "@/lib/domain/limits";
import { parseJson } from "@/lib/http/parse-json";

/**
 * The JSON object of a request. Reads no more than 16 MB, whatever the client says or sends.
 * @throws AppError BODY_TOO_LARGE, INVALID_JSON; VALIDATION_FAILED for text that cannot be kept
 */
export async function readJsonBody(request: Request, maxBytes = MAX_JSON_BYTES): Promise<Record<string, unknown>> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const text = decode(await readBytes(request, maxBytes));
  if (text.trim() === "") throw new AppError("INVALID_JSON", "The body is empty. Send a JSON object.");
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AppError("INVALID_JSON", "The body must be a JSON object.");
  }
  return value as Record<string, unknown>;
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new AppError("INVALID_JSON", "The body was cut off.", { cause });
    });
    if (done) return Buffer.concat(chunks, size);
    size += value.byteLength;
    if (size > maxBytes) {
      void discard(reader, maxBytes);
      throw bodyTooLarge(maxBytes);
    }
    chunks.push(value);
  }
}

/** Lets a client that is still sending finish, so that it reads the answer; gives up on one that does not end. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<void> {
  try {
    for (let size = 0; size <= maxBytes * 4; ) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The client is gone: nobody waits for anything here.
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("INVALID_JSON", "The body is not valid UTF-8.", { cause });
  }
}

function bodyTooLarge(maxBytes: number): AppError {
  return new AppError(
    "BODY_TOO_LARGE",
    `The JSON body must have at most ${maxBytes} bytes. Send large texts as a file.`,
  );
}
