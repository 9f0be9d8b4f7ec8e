import { newId } from "@/lib/domain/ids";
import { errorResponse, toAppError } from "@/lib/http/error-response";
import { setCommonHeaders } from "@/lib/http/respond";
import { serveFile } from "@/lib/http/serve-file";
import { openStoredFile } from "@/lib/services/files/open-file";

/** `GET` and `HEAD` of {storage_url}/files/<key>. Needs no API key: whoever knows the key may read. Never throws. */
export async function serveFileByKey(
  request: Request,
  context: { params: Promise<{ key: string }> | { key: string } },
): Promise<Response> {
  const requestId = newId("request");
  try {
    const { key } = await context.params;
    return setCommonHeaders(await serveFile(request, await openStoredFile(key)), requestId, undefined);
  } catch (error) {
    return setCommonHeaders(errorResponse(toAppError(error), requestId), requestId, undefined);
  }
}
