import type { DataRequestState } from "@/lib/contracts/end-users";

/** The receipt of an export of a whole account, as its owner sees it. */
export interface AccountExport {
  id: string;
  state: DataRequestState;
  /** Rows exported, by table. */
  counts: Record<string, number>;
  /** Null when there is no file, or none any more. */
  download: { sizeBytes: number; expiresAt: string } | null;
  createdAt: string;
  completedAt: string | null;
}
