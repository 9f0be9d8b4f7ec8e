import { parseByteRange } from "@/lib/domain/byte-range";
import { attachmentDisposition } from "@/lib/domain/content-disposition";
import { countWords } from "@/lib/domain/count-words";
import { AppError } from "@/lib/domain/errors";
import { setContentLength } from "@/lib/http/respond";
import type { OpenFile } from "@/lib/services/files/open-file";

/**
 * Serves a stored file as a download (contract §4): whole or one range, never something that a browser would run or
 * show from our origin. Answers GET and HEAD.
 * @throws AppError RANGE_NOT_SATISFIABLE, and what `file.read` throws, to HEAD as well
 */
export async function serveFile(request: Request, file: OpenFile): Promise<Response> {
  const etag = `"${file.sha256}"`;
  const headers = new Headers({
    "Content-Type": file.contentType,
    "Content-Disposition": attachmentDisposition(file.name),
    "Accept-Ranges": "bytes",
    ETag: etag,
    // A part of a compressed file is no part of the file.
    "Cache-Control": "private, no-store, no-transform",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-site",
    "Referrer-Policy": "no-referrer",
  });
  if (isKnownToClient(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const range = parseByteRange(rangeHeader(request, etag), file.size);
  if (range === "unsatisfiable") {
    throw new AppError(
      "RANGE_NOT_SATISFIABLE",
      `The range begins behind the file's end: it has ${countWords(file.size, "byte")}.`,
      {
        param: "Range",
        headers: { "Content-Range": `bytes */${file.size}`, "Accept-Ranges": "bytes", ETag: etag },
      },
    );
  }
  if (range) headers.set("Content-Range", `bytes ${range.start}-${range.end}/${file.size}`);
  setContentLength(headers, range ? range.end - range.start + 1 : file.size);
  if (request.method === "HEAD") {
    await file.find();
    return new Response(null, { headers });
  }
  return new Response(await file.read(range ?? undefined), { status: range ? 206 : 200, headers });
}

/** A range counts only of the same bytes that the client has the rest of (RFC 9110 §13.1.5), and only in a GET. */
function rangeHeader(request: Request, etag: string): string | null {
  const condition = request.headers.get("if-range");
  const isSameFile = condition === null || condition.trim() === etag;
  return request.method === "GET" && isSameFile ? request.headers.get("range") : null;
}

function isKnownToClient(ifNoneMatch: string | null, etag: string): boolean {
  const known = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
