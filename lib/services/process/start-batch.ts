import type { StartBatchResponse } from "@/lib/contracts/batch";
import type { StartProcessBody } from "@/lib/contracts/process-records";
import type { Principal } from "@/lib/domain/principal";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { acceptBatch } from "@/lib/services/turns/accept-batch";
import { checkAllowances } from "@/lib/services/turns/allowances";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";
import { creditsFirst } from "@/lib/services/turns/refuse-turn";
import type { CallContext } from "@/lib/services/turns/start-turn";

/**
 * Accepts many files with one instruction (§4.2): each becomes a processing, all of them or none.
 * @returns one item for each file, in the order of the files
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, URL_NOT_HTTPS, URL_NOT_ALLOWED, INSUFFICIENT_CREDITS (not
 * enough for all), TOKEN_LIMIT_REACHED, END_USER_LIMIT_REACHED, KEY_LIMIT_REACHED, PROJECT_LIMIT_REACHED
 */
export async function startBatch(
  principal: Principal,
  { prompt, ...fields }: StartProcessBody,
  files: UploadDraft[],
  { requestId, idempotency }: CallContext,
): Promise<StartBatchResponse> {
  const call = {
    ...fields,
    endpoint: "POST /process/batch",
    requestId,
    input: prompt,
    inputNames: ["prompt"] as const,
  };
  const turn = await creditsFirst(principal, () => prepareTurn(principal, { ...call, files }));
  await checkAllowances(principal, turn);
  const answer = (sessionIds: string[]): StartBatchResponse =>
    files.map(({ url }, index) => ({ sessionId: sessionIds[index] ?? "", status: "started", fileUrl: url }));
  const sessionIds = await acceptBatch(
    principal,
    { ...turn, files },
    idempotency && ((tx, ids) => keepResponse(tx, idempotency, answer(ids))),
  );
  return answer(sessionIds);
}
