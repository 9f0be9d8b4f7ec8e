import { AppError } from "@/lib/domain/errors";
import { JSON_BODY_SECONDS, MAX_JSON_BYTES } from "@/lib/domain/limits";
import { JSON_TYPE, requireMediaType } from "@/lib/http/media-type";
import { parseJson } from "@/lib/http/parse-json";
import { type BodyPatience, bodyMissing, type Patience, startPatience } from "@/lib/http/read-in-time";
import { drainBody } from "@/lib/http/receive-multipart-drain";

export interface JsonBodyLimits extends BodyPatience {
  maxBytes?: number;
  /** Waited for once all bytes are there: what is parsed takes its room. */
  beforeParse?(bytes: number): Promise<void>;
}

const REFUSAL = { code: "INVALID_JSON", what: "the request", cutOff: "The body was cut off." } as const;

/**
 * The JSON object of a request. Reads no more than 16 MB, whatever the client says or sends, and waits no longer than
 * BODY_IDLE_SECONDS for the next bytes and JSON_BODY_SECONDS for the last. After a failure the rest of the body is read and
 * dropped for a while, in the background, so that the answer reaches a client that is still sending.
 * @throws AppError BODY_TOO_LARGE, INVALID_JSON; VALIDATION_FAILED for text that cannot be kept
 */
export async function readJsonBody(request: Request, limits: JsonBodyLimits = {}): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, limits);
  await limits.beforeParse?.(bytes.byteLength);
  return parseObject(bytes);
}

/**
 * The same for a body that may be left out: undefined, whatever its Content-Type, when it has no bytes.
 * @throws AppError as `readJsonBody`; UNSUPPORTED_MEDIA_TYPE
 */
export async function readOptionalJsonBody(
  request: Request,
  limits: JsonBodyLimits = {},
): Promise<Record<string, unknown> | undefined> {
  const bytes = await readBytes(request, limits);
  if (bytes.byteLength === 0) return undefined;
  requireMediaType(request, [JSON_TYPE]);
  return parseObject(bytes);
}

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  const text = decode(bytes);
  if (text.trim() === "") throw new AppError("INVALID_JSON", "The body is empty. Send a JSON object.");
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AppError("INVALID_JSON", "The body must be a JSON object.");
  }
  return value as Record<string, unknown>;
}

/**
 * The bytes of a body, within the limits of `readJsonBody`.
 * @throws AppError BODY_TOO_LARGE, INVALID_JSON
 */
export async function readBytes(request: Request, limits: JsonBodyLimits = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes = MAX_JSON_BYTES } = limits;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  if (!request.body) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const patience = startPatience({ totalSeconds: JSON_BODY_SECONDS, ...limits }, REFUSAL);
  try {
    return await Promise.race([readAll(reader, maxBytes, patience), patience.isOver]);
  } catch (error) {
    void drainBody(reader, { maxBytes: maxBytes * 4 });
    throw error;
  } finally {
    patience.end();
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  patience: Patience,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw bodyMissing(REFUSAL.code, REFUSAL.cutOff, cause);
    });
    // After that the bytes are the drain's.
    if (done || patience.hasEnded()) return Buffer.concat(chunks, size);
    patience.heard();
    size += value.byteLength;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
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
