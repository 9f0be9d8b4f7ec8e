import { AppError } from "@/lib/domain/errors";
import { MAX_JSON_BYTES } from "@/lib/domain/limits";
import { parseJson } from "@/lib/http/parse-json";
import { drainBody } from "@/lib/http/receive-multipart-drain";

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
      void drainBody(reader, { maxBytes: maxBytes * 4 });
      throw bodyTooLarge(maxBytes);
    }
    chunks.push(value);
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
