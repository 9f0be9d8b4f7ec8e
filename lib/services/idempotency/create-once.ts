import { createHash } from "node:crypto";
import { newId } from "@/lib/domain/ids";
import type { Principal } from "@/lib/domain/principal";
import { claimKey } from "@/lib/services/idempotency/claim-key";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { releaseKey } from "@/lib/services/idempotency/release-key";

const CREATED = 201;

/**
 * Does once what a form of the panel sends again because its answer was lost: what it was answered is answered once more.
 * @param attempt the same for each sending of one form; undefined: it is sent once
 * @param scope whose keys the attempt stands among
 * @param content what is made
 * @param make keeps its answer with what it makes (keep-response.ts)
 * @throws AppError IDEMPOTENCY_IN_PROGRESS while the sending before is at work, and what `make` throws
 */
export async function createOnce<Made>(
  scope: Pick<Principal, "projectId">,
  attempt: string | undefined,
  content: unknown,
  make: (claim?: IdempotencyClaim) => Promise<Made>,
): Promise<Made> {
  if (attempt === undefined) return make();
  const opened = await claimKey(scope, {
    // Apart from the keys that the project's clients choose.
    key: `panel:${attempt}`,
    requestHash: createHash("sha256").update(JSON.stringify(content)).digest(),
    requestId: newId("request"),
    status: CREATED,
  });
  if ("kept" in opened) return JSON.parse(opened.kept.body) as Made;
  try {
    return await make(opened.claim);
  } catch (error) {
    // What stays behind is free again when its lease runs out.
    await releaseKey(opened.claim).catch(() => undefined);
    throw error;
  }
}
