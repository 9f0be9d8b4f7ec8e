import { z } from "zod";
import { AppError } from "@/lib/domain/errors";
import { UPLOAD_BEGIN_MINUTES, UPLOAD_USE_MINUTES } from "@/lib/domain/limits";
import { openSecret, sealSecret } from "@/lib/services/people/sealed-secret";

/** Longer than any that was made here. */
const MAX_TICKET_CHARACTERS = 4_000;
const MINUTE_MS = 60_000;

const uploadTicket = z.strictObject({
  /** No other sealed text of the service can be taken for one. */
  use: z.literal("upload"),
  projectId: z.string(),
  storageKey: z.string(),
  store: z.enum(["disk", "blob"]),
  /** Safe to show. */
  name: z.string(),
  /** Bytes, exactly. */
  size: z.int(),
  /** As the client claims. */
  contentType: z.string(),
  /** Milliseconds since 1970, as its row in `pending_uploads` has it until an upload begins. */
  startedAtMs: z.int(),
});

/** What a client may upload and where it goes. Sealed, the client carries it: no table has to. */
export type UploadTicket = Omit<z.output<typeof uploadTicket>, "use">;

/** The ticket as text that only this service can make and read. @throws Error when ENCRYPTION_KEY is missing */
export function sealTicket(ticket: UploadTicket): string {
  return sealSecret(JSON.stringify({ use: "upload", ...ticket }));
}

/** @throws AppError NOT_FOUND for a text that is no ticket of this service */
export function openTicket(text: string): UploadTicket {
  try {
    if (text.length > MAX_TICKET_CHARACTERS) throw new Error("Too long for a ticket.");
    return uploadTicket.parse(JSON.parse(openSecret(text)));
  } catch {
    throw uploadNotFound();
  }
}

/** Until when an upload may begin. */
export function uploadExpiry({ startedAtMs }: UploadTicket): Date {
  return new Date(startedAtMs + UPLOAD_BEGIN_MINUTES * MINUTE_MS);
}

/**
 * Whether it is too late to use what was uploaded.
 * @param now by the database's clock, as the ticket's own time is
 */
export function isTooLateToUse({ startedAtMs }: UploadTicket, now: Date): boolean {
  return now.getTime() >= startedAtMs + UPLOAD_USE_MINUTES * MINUTE_MS;
}

/** For bytes that come once more, as where the answer to the first ones was lost: a new upload would send all of them again. */
export function uploadBegun(): AppError {
  return new AppError(
    "NOT_FOUND",
    "Bytes of this upload are here already or on their way, so these are not taken. Call POST /process with its uploadId; only where that finds none get a new one with POST /uploads.",
    { param: "uploadId" },
  );
}

/** One answer to all that cannot be used: another project's, made up, never uploaded, expired, used (contract §2, 404). */
export function uploadNotFound(): AppError {
  return new AppError(
    "NOT_FOUND",
    "The upload was not found: it does not exist, has no bytes yet, is too old or was used. Get a new one with POST /uploads.",
    { param: "uploadId" },
  );
}
