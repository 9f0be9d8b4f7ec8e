import { createHash } from "node:crypto";
import { safeDisplayName } from "@/lib/domain/file-name";
import type { UploadInput } from "@/lib/services/files/store-upload";
import { ByteMeter } from "@/lib/storage/byte-meter";

/** A small upload that is used at once and stored nowhere; it needs no adopting and no discarding. */
export interface HeldFile {
  bytes: Uint8Array;
  size: number;
  /** Lower-case hex. */
  sha256: string;
  /** Safe to show. */
  name: string;
}

/**
 * Reads an upload into memory; the counterpart of `storeUpload` for files that become something else.
 * @throws AppError FILE_TOO_LARGE above `maxBytes`, before more of it is read
 */
export async function holdUpload(
  input: Pick<UploadInput, "name" | "stream"> & { maxBytes: number },
): Promise<HeldFile> {
  const meter = new ByteMeter(input.maxBytes);
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.stream) {
    meter.add(chunk);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { bytes, size: bytes.byteLength, sha256, name: safeDisplayName(input.name) };
}
