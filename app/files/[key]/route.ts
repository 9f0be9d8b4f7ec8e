import { serveFileByKey } from "@/lib/http/serve-file-by-key";

// GET, HEAD /files/<key>: a stored file as a download.
export const GET = serveFileByKey;
export const HEAD = serveFileByKey;
