import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Mountable } from "@copilotkit/aimock";

/** Less than the demo model's library takes of a request. */
const SMALL_BYTES = 8 * 1024 * 1024;
/** The demo answer says how many pictures came, and looks at none. */
const NO_PICTURE = "data:image/jpeg;base64,/9k=";
const LONGEST_ADDRESS = 2_000;

/**
 * Photos, scans and recordings come in requests that are larger than the demo model's library takes. Nobody looks at them or
 * listens there: such a request is sent on without them, and its answer comes back as it is.
 */
export function takeLargeRequests(): Mountable {
  let baseUrl = "";
  return {
    setBaseUrl(url) {
      baseUrl = url;
    },
    async handleRequest(request, response, pathname) {
      // What comes piece by piece does not say how long it will be.
      if (request.method !== "POST" || Number(request.headers["content-length"] ?? SMALL_BYTES + 1) <= SMALL_BYTES) {
        return false;
      }
      await sendOn(request, response, `${baseUrl}${pathname}`);
      return true;
    },
  };
}

async function sendOn(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
  const contentType = request.headers["content-type"] ?? "";
  const bytes = await buffer(request);
  const small = contentType.startsWith("multipart/")
    ? await withoutFiles(bytes, contentType)
    : { contentType, body: withoutPictures(bytes.toString()) };
  const answer = await fetch(address, {
    method: "POST",
    body: small.body,
    headers: { "content-type": small.contentType },
  });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
  if (answer.body) await pipeline(answer.body, response);
  else response.end();
}

/** Of a form, whose length and boundary are new then. */
async function withoutFiles(bytes: Uint8Array<ArrayBuffer>, contentType: string) {
  const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  for (const [name, value] of [...form]) {
    if (typeof value !== "string") form.set(name, new File([new Uint8Array(1)], value.name));
  }
  const small = new Response(form);
  return { contentType: small.headers.get("content-type") ?? "", body: await small.arrayBuffer() };
}

function withoutPictures(json: string): string {
  return JSON.stringify(JSON.parse(json), (key, value: unknown) =>
    key === "url" && typeof value === "string" && value.length > LONGEST_ADDRESS ? NO_PICTURE : value,
  );
}
