import { Readable } from "node:stream";

/** Forms as clients send them, byte by byte, for tests of what reads them. */

export const MEGABYTE = 1024 * 1024;
export const BOUNDARY = "----test-boundary-7MA4YWxkTrZu0gW";

export function request(body: Readable | ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
  const web = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : body;
  const init = { "content-type": `multipart/form-data; boundary=${BOUNDARY}`, ...headers };
  return new Request("http://test.local/", { method: "POST", body: web, duplex: "half", headers: init } as RequestInit);
}

export function form(...parts: Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export function field(name: string, value: string): Buffer {
  return part(`form-data; name="${name}"`, value);
}

export function bytesField(name: string, value: Buffer, contentType?: string): Buffer {
  const type = contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`;
  const before = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n${type}\r\n`;
  return Buffer.concat([Buffer.from(before), value, Buffer.from("\r\n")]);
}

export function file(
  name: string,
  fileName: string,
  content: string | Buffer,
  contentType = "application/octet-stream",
): Buffer {
  return Buffer.concat([Buffer.from(head(name, fileName, contentType)), Buffer.from(content), Buffer.from("\r\n")]);
}

export function head(name: string, fileName: string, contentType = "application/octet-stream"): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: ${contentType}\r\n\r\n`;
}

export function part(disposition: string, content: string): Buffer {
  return rawPart(`Content-Disposition: ${disposition}\r\n\r\n${content}`);
}

export function rawPart(text: string): Buffer {
  return Buffer.from(`--${BOUNDARY}\r\n${text}\r\n`);
}
