import type { ProcessRecord } from "@/lib/contracts/process-records";
import type { Principal } from "@/lib/domain/principal";
import { getProcess } from "@/lib/services/process/get-process";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";

/**
 * Stops what is queued or running of a processing (contract §3). One with nothing open stays as it is.
 * @returns the processing afterwards
 * @throws AppError NOT_FOUND, also for a chat session, another project's, or one that is not the end user's
 */
export async function cancelProcess(
  principal: Principal,
  sessionId: string,
  endUserId?: string,
): Promise<ProcessRecord> {
  const record = await getProcess(principal, sessionId, endUserId);
  await cancelTurns(record.sessionId);
  // Read again also when nothing was stopped: the turn may have ended by itself in between.
  return getProcess(principal, sessionId, endUserId);
}
