import { newId } from "@/lib/domain/ids";
import { errorResponse, toAppError } from "@/lib/http/error-response";
import { letPagesRead } from "@/lib/http/for-pages";
import { type BodyPatience, readInTime } from "@/lib/http/read-in-time";
import { drainBody } from "@/lib/http/receive-multipart-drain";
import { noContent, setCommonHeaders } from "@/lib/http/respond";
import { observeCall } from "@/lib/metrics";
import { receiveUpload } from "@/lib/services/files/receive-upload";

const REFUSAL = {
  code: "VALIDATION_FAILED",
  what: "the file",
  cutOff: "The upload ended before it was complete; send the file again.",
} as const;

/** An upload may take as long as it likes, while bytes come. */
type UploadPatience = Pick<BodyPatience, "idleSeconds">;

interface TicketContext {
  params?: Promise<{ key?: string }> | { key?: string };
}

/**
 * `PUT` of {storage_url}/files/<ticket>: the bytes of a direct upload (docs/decisions/0022). Needs no API key: the ticket is
 * the credential, so a page of any site may send them. Never throws.
 */
export async function receiveFileByTicket(
  request: Request,
  context: TicketContext,
  patience: UploadPatience = {},
): Promise<Response> {
  const startedAtMs = performance.now();
  const response = await answer(request, context, patience);
  letPagesRead(response.headers);
  observeCall("PUT", "/files/:ticket", response.status, (performance.now() - startedAtMs) / 1_000);
  return response;
}

async function answer(request: Request, context: TicketContext, patience: UploadPatience): Promise<Response> {
  const requestId = newId("request");
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  try {
    const { key = "" } = (await context.params) ?? {};
    await receiveUpload(key, { stream: readInTime(reader, patience, REFUSAL), declaredBytes: lengthOf(request) });
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
