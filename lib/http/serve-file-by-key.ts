import { newId } from "@/lib/domain/ids";
import { errorResponse, toAppError } from "@/lib/http/error-response";
import { setCommonHeaders } from "@/lib/http/respond";
import { serveFile } from "@/lib/http/serve-file";
import { observeCall } from "@/lib/metrics";
import { openStoredFile } from "@/lib/services/files/open-file";

/** `GET` and `HEAD` of {storage_url}/files/<key>. Needs no API key: whoever knows the key may read. Never throws. */
export async function serveFileByKey(request: Request, context: FileContext): Promise<Response> {
  const startedAtMs = performance.now();
  const response = await answer(request, context);
  observeCall("GET", "/files/:key", response.status, (performance.now() - startedAtMs) / 1_000);
  return response;
}

interface FileContext {
  params: Promise<{ key: string }> | { key: string };
}

async function answer(request: Request, context: FileContext): Promise<Response> {
  const requestId = newId("request");
  try {
    const { key } = await context.params;
    return setCommonHeaders(await serveFile(request, await openStoredFile(key)), requestId, undefined);
  } catch (error) {
    return setCommonHeaders(errorResponse(toAppError(error), requestId), requestId, undefined);
  }
}
