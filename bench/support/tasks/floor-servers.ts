import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A bare server that parses JSON and sends it back: the floor of all that answers. Returns its origin. */
export function serveEcho(): Promise<string> {
  return serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = chunks.length === 0 ? "{}" : Buffer.concat(chunks).toString("utf8");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(JSON.parse(text)));
  });
}

const SYNC_EVERY_BYTES = 32 * 1024 * 1024;
const BUFFER_BYTES = 1024 * 1024;

/**
 * A bare server that pipes each body into a file and answers when it is on the disk, which it tells now and then while
 * the body arrives, as the service does: the floor of uploads. Returns its origin.
 */
export function servePipe(directory: string): Promise<string> {
  let count = 0;
  return serve(async (request, response) => {
    const path = `${directory}/pipe-${count++}`;
    await pipeToDisk(request, path);
    await rm(path);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
}

async function pipeToDisk(request: IncomingMessage, path: string): Promise<void> {
  // A second way to the same file: one that a stream writes through closes only with the stream.
  const output = createWriteStream(path, { flags: "wx", highWaterMark: BUFFER_BYTES });
  await once(output, "open");
  const file = await open(path, "r+");
  let unsynced = 0;
  let syncing = Promise.resolve();
  request.on("data", (chunk: Buffer) => {
    unsynced += chunk.length;
    if (unsynced < SYNC_EVERY_BYTES) return;
    unsynced = 0;
    syncing = syncing.then(() => file.datasync());
  });
  request.pipe(output);
  await once(output, "finish");
  await syncing;
  await file.datasync();
  await file.close();
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
