import { createHash, createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * A local server that speaks the part of Vercel Blob's HTTP protocol which the `@vercel/blob` library uses for a
 * private store: put, multipart uploads, head, delete, and reads with ranges. Everything is in memory.
 */
export interface BlobServer {
  /** For `VERCEL_BLOB_API_URL`. */
  apiUrl: string;
  token: string;
  /** Pathname to bytes. */
  files: Map<string, Buffer>;
  /** "METHOD path" of each request, or "POST" and the step of a multipart upload; in order. */
  requests: string[];
  /** Sizes of the parts of multipart uploads, in order of arrival. */
  partSizes: number[];
  /** Set: every request is answered with this status. */
  faultStatus: number | null;
  /** While true, part uploads get no answer. */
  isHanging: boolean;
  close(): Promise<void>;
}

const STORE_ID = "teststore";
const MIN_PART_BYTES = 5 * 1024 * 1024;

/** Starts it on a free loopback port. */
export async function startBlobServer(): Promise<BlobServer> {
  const uploads = new Map<string, Map<number, Buffer>>();
  const state: BlobServer = {
    apiUrl: "",
    token: `vercel_blob_rw_${STORE_ID}_${randomUUID().replaceAll("-", "")}`,
    files: new Map(),
    requests: [],
    partSizes: [],
    faultStatus: null,
    isHanging: false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    answer(state, uploads, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return state;
}

type Uploads = Map<string, Map<number, Buffer>>;

async function answer(
  state: BlobServer,
  uploads: Uploads,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", state.apiUrl);
  if (url.pathname === "/find") return find(state, url.searchParams.getAll("text"), response);
  const action = String(request.headers["x-mpu-action"] ?? url.pathname);
  state.requests.push(`${request.method} ${action}`);
  const body = await buffer(request);
  if (!isAllowed(state, url, request, body)) return fail(response, 403, "forbidden");
  if (state.faultStatus !== null) return fail(response, state.faultStatus, "service_unavailable");
  if (url.pathname.startsWith("/objects/")) return readObject(state, url, request, response);
  if (url.pathname.endsWith("/delete")) return removeObjects(state, body, response);
  if (url.pathname.endsWith("/mpu")) return multipart(state, uploads, url, request, body, response);
  const pathname = url.searchParams.get("pathname");
  if (request.method === "PUT" && pathname) return store(state, pathname, body, request, response);
  const asked = url.searchParams.get("url");
  if (request.method === "GET" && asked) return describe(state, asked, response);
  return fail(response, 400, "bad_request");
}

/** By the store's own token, or to put one file by a client's token that the store's own token signed. */
function isAllowed({ token }: BlobServer, url: URL, request: IncomingMessage, body: Buffer): boolean {
  const given = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
  if (given === token) return true;
  const [, sealed] = given.split(`vercel_blob_client_${STORE_ID}_`);
  const [signature, payload = ""] = Buffer.from(sealed ?? "", "base64")
    .toString()
    .split(".");
  if (request.method !== "PUT" || signature !== createHmac("sha256", token).update(payload).digest("hex")) return false;
  const granted = JSON.parse(Buffer.from(payload, "base64").toString()) as Record<string, unknown>;
  return (
    granted.pathname === url.searchParams.get("pathname") &&
    Number(granted.maximumSizeInBytes) >= body.length &&
    Number(granted.validUntil) > Date.now() &&
    granted.allowOverwrite === false &&
    request.headers["x-allow-overwrite"] === undefined
  );
}

function store(
  state: BlobServer,
  pathname: string,
  bytes: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.headers["x-vercel-blob-access"] !== "private") return fail(response, 400, "bad_request");
  if (state.files.has(pathname) && request.headers["x-allow-overwrite"] !== "1")
    return fail(response, 400, "bad_request");
  state.files.set(pathname, bytes);
  send(response, record(state, pathname));
}

function multipart(
  state: BlobServer,
  uploads: Uploads,
  url: URL,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const pathname = url.searchParams.get("pathname") ?? "";
  const { headers } = request;
  if (headers["x-mpu-action"] === "create") {
    const uploadId = randomUUID();
    uploads.set(uploadId, new Map());
    return send(response, { uploadId, key: pathname });
  }
  const parts = uploads.get(String(headers["x-mpu-upload-id"]));
  if (!parts || decodeURIComponent(String(headers["x-mpu-key"])) !== pathname)
    return fail(response, 400, "bad_request");
  if (headers["x-mpu-action"] === "upload") {
    if (state.isHanging) return;
    state.partSizes.push(body.length);
    parts.set(Number(headers["x-mpu-part-number"]), body);
    return send(response, { etag: etagOf(body) });
  }
  const listed = JSON.parse(body.toString()) as { partNumber: number; etag: string }[];
  const bytes = listed.map(({ partNumber }) => parts.get(partNumber));
  const isWhole = listed.every(({ etag }, index) => bytes[index] && etagOf(bytes[index]) === etag);
  const isTooSmall = bytes.slice(0, -1).some((part) => part && part.length < MIN_PART_BYTES);
  if (!isWhole || isTooSmall) return fail(response, 400, "bad_request");
  uploads.delete(String(headers["x-mpu-upload-id"]));
  return store(state, pathname, Buffer.concat(bytes.filter((part) => part !== undefined)), request, response);
}

/** No part of the protocol, for tests of another process: by text the names of what holds it. */
function find({ files }: BlobServer, texts: string[], response: ServerResponse): void {
  const holders = (text: string) =>
    [...files].flatMap(([pathname, bytes]) => (pathname.includes(text) || bytes.includes(text) ? [pathname] : []));
  send(response, Object.fromEntries(texts.map((text) => [text, holders(text)])));
}

function describe(state: BlobServer, asked: string, response: ServerResponse): void {
  const bytes = state.files.get(asked);
  if (!bytes) return fail(response, 404, "not_found");
  send(response, {
    ...record(state, asked),
    size: bytes.length,
    uploadedAt: new Date().toISOString(),
    cacheControl: "",
  });
}

function removeObjects(state: BlobServer, body: Buffer, response: ServerResponse): void {
  for (const pathname of (JSON.parse(body.toString()) as { urls: string[] }).urls) state.files.delete(pathname);
  send(response, null);
}

function readObject(state: BlobServer, url: URL, request: IncomingMessage, response: ServerResponse): void {
  const bytes = state.files.get(url.pathname.slice("/objects/".length));
  if (!bytes) return fail(response, 404, "not_found");
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  const part = start === undefined ? bytes : bytes.subarray(Number(start), Number(end) + 1);
  response.writeHead(start === undefined ? 200 : 206, { "content-length": part.length });
  response.end(part);
}

function record(state: BlobServer, pathname: string) {
  const url = new URL(`/objects/${pathname}`, state.apiUrl).toString();
  return {
    url,
    downloadUrl: url,
    pathname,
    contentType: "application/octet-stream",
    contentDisposition: "attachment",
    etag: "",
  };
}

function etagOf(bytes: Buffer): string {
  return createHash("md5").update(bytes).digest("hex");
}

function send(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function fail(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { code, message: code } }));
}
