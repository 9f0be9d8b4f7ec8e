import { createHash } from "node:crypto";
import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { AppError, invalidField } from "@/lib/domain/errors";
import { detectContentType } from "@/lib/services/files/detect-content-type";
import { fileUrl } from "@/lib/services/files/file-url";
import type { FileOwner, UploadDraft } from "@/lib/services/files/store-upload";
import { isTooLateToUse, openTicket, type UploadTicket, uploadNotFound } from "@/lib/services/files/upload-ticket";
import { fileStoreOf } from "@/lib/storage/select-store";

const RETRY_SECONDS = 30;

/**
 * What was uploaded for a ticket, as a draft like any other upload. Reads the bytes once, for their hash and kind; takes
 * nothing yet: adopting the draft does, in its own transaction, and only once.
 * @throws AppError NOT_FOUND (another project's, missing, expired, used), VALIDATION_FAILED (another size than announced),
 * SERVICE_UNAVAILABLE
 */
export async function takeUpload(owner: FileOwner, uploadId: string): Promise<UploadDraft> {
  const ticket = openTicket(uploadId);
  if (isTooLateToUse(ticket, await databaseNow(prisma())) || !(await isOpen(owner, ticket))) throw uploadNotFound();
  const { storageKey, store, size, name } = ticket;
  const found = await fileStoreOf(store).read(storageKey);
  if (!found) throw uploadNotFound();
  if (found.size !== size) {
    await found.stream.cancel();
    throw invalidField("uploadId", `has ${found.size} bytes where ${size} were announced; get a new one`);
  }
  const { sha256, contentType } = await readWhole(found.stream, ticket);
  return { storageKey, store, url: fileUrl(storageKey), size, sha256, name, contentType, isByReference: true };
}

/** The row of a file that was used and then deleted is there again for the sweep, with a time before all tickets. */
async function isOpen({ projectId }: FileOwner, { storageKey, startedAtMs }: UploadTicket): Promise<boolean> {
  const { rowCount } = await db().query({
    name: "find-direct-upload",
    text: "SELECT 1 FROM pending_uploads WHERE storage_key = $1 AND project_id = $2 AND started_at >= $3",
    values: [storageKey, projectId, new Date(startedAtMs)],
  });
  return rowCount === 1;
}

async function readWhole(stream: AsyncIterable<Uint8Array>, ticket: UploadTicket) {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    const { contentType, whole } = await detectContentType(stream, ticket.contentType);
    for await (const chunk of whole) {
      hash.update(chunk);
      bytes += chunk.byteLength;
    }
    if (bytes !== ticket.size) throw new Error(`The store gave ${bytes} of ${ticket.size} bytes.`);
    return { contentType, sha256: hash.digest("hex") };
  } catch (cause) {
    throw new AppError("SERVICE_UNAVAILABLE", "The upload cannot be read right now. It is still there; try again.", {
      cause,
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}
