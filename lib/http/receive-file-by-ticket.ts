import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { errorResponse, toAppError } from "@/lib/http/error-response";
import { drainBody } from "@/lib/http/receive-multipart-drain";
import { noContent, setCommonHeaders } from "@/lib/http/respond";
import { observeCall } from "@/lib/metrics";
import { receiveUpload } from "@/lib/services/files/receive-upload";

/** The longest silence within an upload, as within a form. */
const IDLE_TIMEOUT_SECONDS = 60;

interface TicketContext {
  params?: Promise<{ key?: string }> | { key?: string };
}

/**
 * `PUT` of {storage_url}/files/<ticket>: the bytes of a direct upload (docs/decisions/0022). Needs no API key: the ticket is
 * the credential. Never throws.
 * @param idleTimeoutSeconds the longest wait for the next bytes
 */
export async function receiveFileByTicket(
  request: Request,
  context: TicketContext,
  idleTimeoutSeconds = IDLE_TIMEOUT_SECONDS,
): Promise<Response> {
  const startedAtMs = performance.now();
  const response = await answer(request, context, idleTimeoutSeconds);
  observeCall("PUT", "/files/:ticket", response.status, (performance.now() - startedAtMs) / 1_000);
  return response;
}

async function answer(request: Request, context: TicketContext, idleTimeoutSeconds: number): Promise<Response> {
  const requestId = newId("request");
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  try {
    const { key = "" } = (await context.params) ?? {};
    await receiveUpload(key, { stream: bytesOf(reader, idleTimeoutSeconds), declaredBytes: lengthOf(request) });
    return setCommonHeaders(noContent(), requestId, undefined);
  } catch (error) {
    if (reader) void drainBody(reader);
    return setCommonHeaders(errorResponse(toAppError(error), requestId), requestId, undefined);
  }
}

function lengthOf(request: Request): number | null {
  const text = request.headers.get("content-length");
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

async function* bytesOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  idleTimeoutSeconds: number,
): AsyncGenerator<Uint8Array> {
  if (!reader) return;
  for (;;) {
    const { done, value } = await nextChunk(reader, idleTimeoutSeconds);
    if (done) return;
    yield value;
  }
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>, idleTimeoutSeconds: number) {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const error = new AppError(
      "VALIDATION_FAILED",
      `No bytes arrived for ${idleTimeoutSeconds} s; send the file again.`,
    );
    timer = setTimeout(() => reject(error), idleTimeoutSeconds * 1_000);
  });
  const chunk = reader.read().catch((cause: unknown) => {
    throw new AppError("VALIDATION_FAILED", "The upload ended before it was complete; send the file again.", { cause });
  });
  try {
    return await Promise.race([chunk, silence]);
  } finally {
    clearTimeout(timer);
    // After a silence nobody waits for it.
    chunk.catch(() => {});
  }
}
