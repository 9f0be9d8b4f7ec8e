import { receiveFileByTicket } from "@/lib/http/receive-file-by-ticket";
import { optionsResponse } from "@/lib/http/route";
import { serveFileByKey } from "@/lib/http/serve-file-by-key";

// GET, HEAD /files/<key>: a stored file as a download. PUT /files/<ticket>: the bytes of a direct upload, of a page too.
export const GET = serveFileByKey;
export const HEAD = serveFileByKey;
export const PUT = (request: Request, context: Parameters<typeof receiveFileByTicket>[1]) =>
  receiveFileByTicket(request, context);
export const OPTIONS = () => Promise.resolve(optionsResponse("GET, HEAD, PUT, OPTIONS", "PUT"));
