import type { PlaygroundCall } from "@/components/playground/playground-call";
import { isAsChosen } from "@/components/ui/read-file";

/** What came back on a call. */
export interface CallAnswer {
  status: number;
  headers: Record<string, string>;
  /** Until the answer was there; of a stream, until it began. */
  durationMs: number;
  body: AnswerBody;
}

export type AnswerBody =
  | { kind: "none" }
  | { kind: "json"; value: unknown }
  | { kind: "text"; text: string }
  | { kind: "bytes"; blob: Blob }
  | { kind: "stream"; response: Response };

/** Why no answer came: the reader stopped the call; no browser can send it, or read its files; the service was not reached. */
export type NoAnswer = "stopped" | "unsendable" | "unreadable" | "unreached";

interface SendOptions {
  apiKey: string;
  files: File[];
  signal: AbortSignal;
  /** From 0 to 1, while a form goes up. */
  onProgress: (share: number) => void;
}

/** Makes the call from this browser, with the key and without the panel's cookies. */
export async function sendCall(call: PlaygroundCall, options: SendOptions): Promise<CallAnswer | NoAnswer> {
  const { files, signal } = options;
  if (!isSendable(call, options.apiKey)) return "unsendable";
  if (call.body.kind === "form" && !(await areAsChosen(files))) return "unreadable";
  if (signal.aborted) return "stopped";
  try {
    return await answerTo(call, options);
  } catch {
    if (signal.aborted) return "stopped";
    return call.body.kind === "form" && !(await areAsChosen(files)) ? "unreadable" : "unreached";
  }
}

async function areAsChosen(files: File[]): Promise<boolean> {
  return (await Promise.all(files.map(isAsChosen))).every(Boolean);
}

/** Headers take the characters of Latin-1, and few languages write with those alone. */
function isSendable(call: PlaygroundCall, apiKey: string): boolean {
  try {
    return headersOf(call, apiKey) !== null;
  } catch {
    return false;
  }
}

async function answerTo(call: PlaygroundCall, options: SendOptions): Promise<CallAnswer> {
  const startedAt = performance.now();
  const response = call.body.kind === "form" ? await upload(call, options) : await send(call, options);
  const durationMs = Math.round(performance.now() - startedAt);
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, durationMs, body: await bodyOf(response) };
}

function send({ method, path, body, ...call }: PlaygroundCall, { apiKey, signal }: SendOptions): Promise<Response> {
  const headers = headersOf(call, apiKey);
  if (body.kind !== "json") return fetch(path, { method, headers, signal, credentials: "omit" });
  headers.set("Content-Type", "application/json");
  return fetch(path, { method, headers, signal, credentials: "omit", body: JSON.stringify(body.value) });
}

/** Only the older way of calling tells how far a body has gone up. */
function upload(call: PlaygroundCall, { apiKey, files, signal, onProgress }: SendOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(call.method, call.path);
    request.responseType = "blob";
    for (const [name, value] of headersOf(call, apiKey)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () =>
      resolve(new Response(request.response as Blob, { status: request.status, headers: received(request) }));
    request.onerror = () => reject(new Error("No answer came."));
    request.onabort = request.onerror;
    signal.addEventListener("abort", () => request.abort());
    request.send(formOf(call, files));
  });
}

function headersOf({ headers, needsKey }: Pick<PlaygroundCall, "headers" | "needsKey">, apiKey: string): Headers {
  const sent = new Headers(headers);
  if (needsKey && apiKey !== "") sent.set("X-API-Key", apiKey);
  return sent;
}

function formOf({ body }: PlaygroundCall, files: File[]): FormData {
  const form = new FormData();
  if (body.kind !== "form") return form;
  for (const [name, value] of body.fields) form.append(name, value);
  for (const file of files) form.append(body.fileField, file);
  return form;
}

function received(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}

async function bodyOf(response: Response): Promise<AnswerBody> {
  const type = response.headers.get("content-type") ?? "";
  if (response.status === 204 || response.status === 304) return { kind: "none" };
  if (type.startsWith("text/event-stream")) return { kind: "stream", response };
  if (type.startsWith("application/json")) return jsonOrText(await response.text());
  if (type.startsWith("text/")) return { kind: "text", text: await response.text() };
  return { kind: "bytes", blob: await response.blob() };
}

/** What a proxy calls JSON may be a page of its own: it is shown as it came. */
function jsonOrText(text: string): AnswerBody {
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch {
    return text === "" ? { kind: "none" } : { kind: "text", text };
  }
}
