import type { Transaction } from "@/lib/db/pool";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import type { UploadDraft } from "@/lib/services/files/store-upload";

interface TurnOwner {
  account_id: string;
  project_id: string;
  session_id: string;
  end_user_id: string | null;
}

/**
 * Closes what an ending turn was making, in the transaction that ends it: the file of a completed turn becomes the
 * session's, that of any other is nobody's.
 * @returns stored bytes to be discarded once the transaction is committed
 * @throws AppError SERVICE_UNAVAILABLE when the bytes were swept
 */
export async function closeOutput(
  tx: Transaction,
  turnId: string,
  { account_id: accountId, project_id: projectId, session_id: sessionId, end_user_id: endUserId }: TurnOwner,
  completed: UploadDraft | undefined,
  fileId: string | undefined,
): Promise<UploadDraft | null> {
  if (completed) {
    const use = { sessionId, turnId, endUserId, purpose: "output" } as const;
    await adoptUpload(tx, { accountId, projectId }, completed, use, fileId);
  }
  const { rows } = await tx.query<{ draft: UploadDraft | null }>({
    name: "close-turn-output",
    text: "DELETE FROM turn_outputs WHERE turn_id = $1 RETURNING draft",
    values: [turnId],
  });
  const draft = rows[0]?.draft ?? null;
  return draft?.storageKey === completed?.storageKey ? null : draft;
}
