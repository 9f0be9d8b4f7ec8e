import { inTransaction } from "@/lib/db/pool";
import { adoptUpload, type FileUse } from "@/lib/services/files/adopt-upload";
import { discardUpload } from "@/lib/services/files/discard-upload";
import { type FileOwner, storeUpload, type UploadDraft } from "@/lib/services/files/store-upload";

export interface OutputInput extends Omit<FileUse, "purpose"> {
  name: string;
  contentType: string;
  /** A buffer, or the stream in which the model's provider sends it. */
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
}

export interface StoredOutput extends UploadDraft {
  fileId: string;
}

/**
 * Keeps a file that the model made, as an output of its turn. A step that runs twice makes two files; the turn points
 * to the one of the run that completed it, and both go with the session.
 * @throws AppError as `storeUpload`; nothing is left then.
 */
export async function storeOutput(owner: FileOwner, output: OutputInput): Promise<StoredOutput> {
  const { name, contentType, bytes, signal, ...use } = output;
  const stream = bytes instanceof Uint8Array ? inOnePiece(bytes) : bytes;
  const draft = await storeUpload(owner, { name, contentType, stream, ...(signal && { signal }) });
  try {
    const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, { ...use, purpose: "output" }));
    return { ...draft, fileId };
  } catch (error) {
    await discardUpload(draft).catch(() => {});
    throw error;
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
