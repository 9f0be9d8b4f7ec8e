import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import { newId } from "../../lib/domain/ids.ts";
import { findExcess } from "../../lib/http/find-excess.ts";

/** As next.config.ts has it: Next takes no longer call of an action. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What becomes of a call. */
interface Ways {
  serve(): void;
  /** @param status 413 for a call that is too long, 400 for one with too much in it, or of a broken form */
  refuse(status: 400 | 413): void;
}

/** As Next tells it: a call of an action by a script, or by a form before the page's scripts run. */
export function mayCallAction({ method, headers, url }: Pick<IncomingMessage, "method" | "headers" | "url">): boolean {
  if (method !== "POST" || url?.startsWith("/api/")) return false;
  return headers["next-action"] !== undefined || isMultipart(headers);
}

/**
 * Serves a call; one of an action when all of it is here, and only if its JSON is no deeper and has no more values than the API
 * takes. Next makes objects of what anybody sends before it knows who that is: of 4 MB of brackets that takes a second or more,
 * in which nobody else is served.
 */
export function serveBounded(request: IncomingMessage, { serve, refuse }: Ways): void {
  if (!mayCallAction(request)) return serve();
  const push = request.push.bind(request);
  const held: Buffer[] = [];
  let bytes = 0;
  // What node's parser hands in stays here until all has come: one that breaks off is served never.
  request.push = (chunk: Buffer | null) => {
    if (bytes > MAX_BYTES) return true;
    if (chunk === null) {
      void hasExcess(request.headers, held).then((isTooMuch) => {
        if (isTooMuch) return refuse(400);
        for (const part of [...held, null]) push(part);
        serve();
      });
      return true;
    }
    bytes += chunk.byteLength;
    if (bytes <= MAX_BYTES) held.push(chunk);
    else refuse(413);
    return true;
  };
}

/** The answer to a call that is refused: no page of ours sends such a one. */
export function tooMuchToRead(status: 400 | 413): { status: number; headers: Record<string, string>; body: string } {
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Request-Id": newId("request"),
  };
  return { status, headers, body: "No page of this service sends such a call.\n" };
}

/** Whether any JSON of a body has too much in it; also of what is said to be a form and is none, of which nothing can be told. */
async function hasExcess(headers: IncomingHttpHeaders, body: Buffer[]): Promise<boolean> {
  const texts = isMultipart(headers) ? await fieldsOf(headers, body) : [Buffer.concat(body).toString("utf8")];
  return texts === null || texts.some((text) => findExcess(text) !== undefined);
}

/** The texts of a form, each of which is JSON to Next; null for what is no form. */
function fieldsOf(headers: IncomingHttpHeaders, body: Buffer[]): Promise<string[] | null> {
  return new Promise<string[]>((resolve, reject) => {
    const fields: string[] = [];
    const form = new Busboy({ headers: headers as BusboyHeaders, limits: { fieldSize: MAX_BYTES } });
    form.on("file", (_name, file) => void file.on("error", reject).resume());
    form.on("field", (_name, text) => void fields.push(text));
    form.on("error", reject);
    form.on("finish", () => resolve(fields));
    for (const part of body) form.write(part);
    form.end();
  }).catch(() => null);
}

function isMultipart(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"]?.startsWith("multipart/form-data") === true;
}
