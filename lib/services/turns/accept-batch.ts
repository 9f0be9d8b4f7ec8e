import { inTurnForAccount, type Transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { PLANS } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import { countAcceptedTurns } from "@/lib/metrics";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { ACCEPT_BATCH } from "@/lib/services/turns/accept-batch-statement";
import { toSchemaParameter } from "@/lib/services/turns/accept-statements";
import { creditsToReserve } from "@/lib/services/turns/prepare-turn";
import { reasonForRefusal } from "@/lib/services/turns/refuse-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** The input that all files of a batch share. */
export type BatchInput = TurnInput & { files: UploadDraft[] };

/**
 * Accepts a processing for each file: all of them, with the credits for all, or nothing.
 * @param also what has to be there together with them, or not at all
 * @returns the ids of the sessions, in the order of the files
 * @throws AppError INSUFFICIENT_CREDITS, TOKEN_LIMIT_REACHED, SERVICE_UNAVAILABLE when an upload was swept away
 */
export async function acceptBatch(
  principal: Principal,
  batch: BatchInput,
  also?: (tx: Transaction, sessionIds: string[]) => Promise<void>,
): Promise<string[]> {
  const { input: text, files, addedTokens, maxCredits } = batch;
  const sessionIds = files.map(() => newId("session"));
  const credits = files.map((file) => creditsToReserve(principal, { text, files: [file], addedTokens, maxCredits }));
  const total = credits.reduce((sum, each) => sum + each, 0);
  await inTurnForAccount(async (tx) => {
    // First: from the statement on until the commit the row of the account is held, which all of the account's calls wait for.
    await also?.(tx, sessionIds);
    const { rows } = await tx.query<{ paid: number; accepted: number }>({
      ...ACCEPT_BATCH,
      values: valuesOf(principal, batch, sessionIds, credits, total),
    });
    if (!rows[0]?.paid) throw await reasonForRefusal(tx, principal, { creditsToReserve: total });
    if (rows[0].accepted !== files.length) {
      throw new AppError("SERVICE_UNAVAILABLE", "An uploaded file is not there any more; send the batch again.");
    }
  });
  countAcceptedTurns(files.length);
  wakeRelay();
  return sessionIds;
}

function valuesOf(principal: Principal, batch: BatchInput, sessionIds: string[], credits: number[], total: number) {
  const { files, template } = batch;
  return [
    sessionIds,
    files.map(() => newId("turn")),
    files.map(() => newId("outbox")),
    principal.accountId,
    principal.projectId,
    principal.apiKeyId,
    batch.endUserId ?? null,
    batch.endpoint,
    batch.requestId,
    batch.input,
    batch.prompt ?? null,
    template?.id ?? null,
    template?.version ?? null,
    batch.callbackUrl ?? null,
    batch.maxCredits ?? null,
    total,
    PLANS[principal.planId].tokensPerMonth,
    credits,
    files.map(() => newId("file")),
    files.map(({ store }) => store),
    files.map(({ storageKey }) => storageKey),
    files.map(({ url }) => url),
    files.map(({ name }) => name),
    files.map(({ contentType }) => contentType),
    files.map(({ size }) => size),
    files.map(({ sha256 }) => sha256),
    toSchemaParameter(batch.outputSchema),
    batch.callMaxCredits ?? null,
    batch.reference ?? null,
  ];
}
