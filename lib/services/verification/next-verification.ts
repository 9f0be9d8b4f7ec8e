import type { VerificationQueueItem, VerificationSubmission } from "@/lib/contracts/verification";
import { encodeCursor } from "@/lib/domain/cursor";
import { listVerifications } from "@/lib/services/verification/list-verifications";

/**
 * For staff: the submission that comes next after one of an account in the order of the queue, decided or not; behind the
 * last one the first. Null when no other company waits.
 */
export async function nextVerification(
  accountId: string,
  { id, dueAt }: Pick<VerificationSubmission, "id" | "dueAt">,
): Promise<VerificationQueueItem | null> {
  const behind = await listVerifications({ limit: 1, cursor: encodeCursor([dueAt, id]) });
  const [next] = behind.data;
  if (next) return next;
  // An account waits with one submission at a time.
  const first = await listVerifications({ limit: 2 });
  return first.data.find((item) => item.accountId !== accountId) ?? null;
}
