/** Multipart bodies byte by byte. */

export const BOUNDARY = "----test-boundary-7f3a";

export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export interface FilePart {
  name: string;
  contentType?: string;
  bytes: Uint8Array | string;
}

/** A whole body: text fields first, then the file. */
export function multipartBody(fields: Record<string, string>, file?: FilePart): Buffer {
  return Buffer.concat([
    multipartHead(fields, file),
    Buffer.from(file?.bytes ?? ""),
    multipartTail(file !== undefined),
  ]);
}

/** Everything up to the first byte of the file. */
export function multipartHead(fields: Record<string, string>, file?: Pick<FilePart, "name" | "contentType">): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  if (file) {
    parts.push(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\n` +
        `Content-Type: ${file.contentType ?? "text/plain"}\r\n\r\n`,
    );
  }
  return Buffer.from(parts.join(""));
}

export function multipartTail(hasFile = true): Buffer {
  return Buffer.from(`${hasFile ? "\r\n" : ""}--${BOUNDARY}--\r\n`);
}
