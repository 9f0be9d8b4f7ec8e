import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";
import { isAdopted, RELEASED_AT_SECONDS } from "@/lib/services/files/discard-upload";
import {
  openTicket,
  type UploadTicket,
  uploadBegun,
  uploadExpiry,
  uploadNotFound,
} from "@/lib/services/files/upload-ticket";
import { fileStoreOf } from "@/lib/storage/select-store";

/** The bytes that come for a ticket. */
export interface DirectUpload {
  stream: AsyncIterable<Uint8Array>;
  /** As the request says; null when it does not. */
  declaredBytes: number | null;
}

/**
 * Streams the bytes of a ticket into the store, once. One that fails leaves nothing but the ticket, which may be tried
 * again.
 * @throws AppError NOT_FOUND (no such ticket, expired, uploaded already or just now), FILE_TOO_LARGE, VALIDATION_FAILED (fewer
 * bytes than announced), SERVICE_UNAVAILABLE; what the stream throws
 */
export async function receiveUpload(ticketText: string, { stream, declaredBytes }: DirectUpload): Promise<void> {
  const ticket = openTicket(ticketText);
  if (ticket.store !== "disk" || (await databaseNow(prisma())) >= uploadExpiry(ticket)) throw uploadNotFound();
  if (declaredBytes !== null && declaredBytes !== ticket.size) throw wrongSize(ticket, declaredBytes);
  const isClean = await moveStart(ticket, startOf(ticket), begunAt(ticket));
  if (!isClean && !(await moveStart(ticket, leftAt(ticket), begunAt(ticket))))
    throw (await isWanted(ticket)) ? uploadBegun() : uploadNotFound();
  const store = fileStoreOf(ticket.store);
  const { storageKey, size: maxBytes } = ticket;
  try {
    if (!isClean) await store.remove(storageKey);
    // What it is, is looked at when it is used.
    await store.write(storageKey, ofSize(stream, ticket), { contentType: "application/octet-stream", maxBytes });
    if (await isWanted(ticket)) return;
    throw uploadNotFound();
  } catch (error) {
    // The first failure is what the client has to know.
    await giveBack(ticket).catch(() => {});
    throw error;
  }
}

/**
 * `started_at` of the row says whether the upload began: a millisecond later than in the ticket. Whoever moves it has the
 * upload, over all processes, and two can never write the same file.
 */
async function moveStart({ storageKey, projectId }: UploadTicket, from: Date, to: Date): Promise<boolean> {
  const { rowCount } = await db().query({
    name: "move-upload-start",
    text: `UPDATE pending_uploads SET started_at = $4 WHERE storage_key = $1 AND project_id = $2 AND started_at = $3`,
    values: [storageKey, projectId, from, to],
  });
  return rowCount === 1;
}

const startOf = ({ startedAtMs }: UploadTicket) => new Date(startedAtMs);
const begunAt = ({ startedAtMs }: UploadTicket) => new Date(startedAtMs + 1);
/** What failed, and may have left bytes: before the ticket's own time, so that no call can use them. */
const leftAt = ({ startedAtMs }: UploadTicket) => new Date(startedAtMs - 1);
const RELEASED_AT = new Date(RELEASED_AT_SECONDS * 1_000);

/**
 * Removes what was written; only then may the ticket be tried again. Meanwhile no call can use it, and what one uses by now is its
 * file: it stays. Where the row is gone otherwise, so are the bytes. Of a store that is away, the next try removes them first: its
 * client was told to come back.
 */
async function giveBack(ticket: UploadTicket): Promise<void> {
  const isReleased = await moveStart(ticket, begunAt(ticket), RELEASED_AT);
  if (!isReleased && (await isAdopted(ticket.storageKey))) return;
  let next = leftAt(ticket);
  try {
    await fileStoreOf(ticket.store).remove(ticket.storageKey);
    next = startOf(ticket);
  } finally {
    if (isReleased) await moveStart(ticket, RELEASED_AT, next);
  }
}

/**
 * Not when it was erased with its account, or swept, while it was written. A call may have used it already: its bytes are there
 * before their sender hears of it.
 */
async function isWanted({ storageKey, projectId }: UploadTicket): Promise<boolean> {
  const text = `SELECT 1 FROM pending_uploads WHERE storage_key = $1 AND project_id = $2
                UNION ALL SELECT 1 FROM stored_files WHERE storage_key = $1 AND project_id = $2`;
  const { rowCount } = await db().query(text, [storageKey, projectId]);
  return rowCount === 1;
}

async function* ofSize(stream: AsyncIterable<Uint8Array>, ticket: UploadTicket): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > ticket.size) throw wrongSize(ticket, bytes);
    yield chunk;
  }
  if (bytes < ticket.size) throw wrongSize(ticket, bytes);
}

function wrongSize({ size }: UploadTicket, bytes: number): AppError {
  if (bytes > size)
    return new AppError("FILE_TOO_LARGE", `The file has more than the ${size} bytes that were announced.`);
  return new AppError("VALIDATION_FAILED", `The file has ${bytes} bytes; ${size} were announced. Send it whole.`);
}
