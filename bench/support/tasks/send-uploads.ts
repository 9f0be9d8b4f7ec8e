import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

export interface SendUploadsOptions {
  url: string;
  apiKey: string;
  bytes: number;
  /** At once. */
  count: number;
  /** Trusted where the address is of HTTPS. */
  ca?: string;
}

export interface SentUploads {
  seconds: number;
  statuses: number[];
  /** Of each answer. */
  bodies: string[];
  /** Of the file, lower-case hex. */
  sha256: string;
}

const BLOCK_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** No format begins like this: what is measured is the upload, not the reading of a file afterwards. */
const BLOCK = Buffer.concat([Buffer.from([0x00, 0xff, 0x00, 0xfe]), randomBytes(BLOCK_BYTES - 4)]);
const BOUNDARY = "----bench-upload-boundary";

/** Uploads files of random bytes as multipart/form-data; the time is from the first byte to the last answer. */
export async function sendUploads(options: SendUploadsOptions): Promise<SentUploads> {
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: options.count }, () => sendUpload(options)));
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    seconds,
    statuses: answers.map(({ status }) => status),
    bodies: answers.map(({ body }) => body),
    sha256: hashOf(options.bytes),
  };
}

async function sendUpload({ url, apiKey, bytes, ca }: SendUploadsOptions): Promise<{ status: number; body: string }> {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nkeep this\r\n` +
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="bench.bin"\r\n` +
      "content-type: application/octet-stream\r\n\r\n",
  );
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const request = (ca === undefined ? httpRequest : httpsRequest)(url, {
    method: "POST",
    agent: false,
    ...(ca !== undefined && { ca }),
    headers: {
      "x-api-key": apiKey,
      "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
      "content-length": head.length + bytes + tail.length,
    },
  });
  const answered = once(request, "response");
  request.write(head);
  for (let sent = 0; sent < bytes; sent += PIECE_BYTES) {
    const from = sent % BLOCK_BYTES;
    const piece = BLOCK.subarray(from, from + Math.min(PIECE_BYTES, bytes - sent));
    if (!request.write(piece)) await Promise.race([once(request, "drain"), answered]);
  }
  request.end(tail);
  const [response] = await answered;
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, body };
}

function hashOf(bytes: number): string {
  const hash = createHash("sha256");
  for (let left = bytes; left > 0; left -= BLOCK_BYTES) hash.update(BLOCK.subarray(0, Math.min(left, BLOCK_BYTES)));
  return hash.digest("hex");
}
