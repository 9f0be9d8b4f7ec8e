import type { BoundedCount } from "@/lib/domain/bounded-count";

/** End users as the panel shows them; the API has no endpoints for them (§1). */

/** What an end user has used, over all time; credits of their finished turns. */
export interface EndUserUsage {
  requests: number;
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
}

export interface EndUserItem extends EndUserUsage {
  endUserId: string;
  sessions: BoundedCount;
  /** Something is remembered of them. */
  hasMemory: boolean;
  /** First use. */
  createdAt: string;
  lastSeenAt: string;
}

export interface EndUserDetail extends EndUserItem {
  /** Credits of the calendar month (UTC). */
  creditsThisMonth: number;
  files: number;
  /** Null while nothing is remembered. */
  memory: { version: number; updatedAt: string; forgottenAt: string | null } | null;
}

export type DataRequestKind = "export" | "erase";
export type DataRequestState = "queued" | "running" | "completed" | "failed";

/** The receipt of an export or an erasure. */
export interface DataRequest {
  id: string;
  kind: DataRequestKind;
  /** The end user; null once erased. */
  endUserId: string | null;
  state: DataRequestState;
  /** Rows exported, deleted or made anonymous, by table; `files` counts stored files. */
  counts: Record<string, number>;
  /** How much can be fetched, and until when; null when there is none, or none any more. */
  download: { sizeBytes: number; expiresAt: string } | null;
  createdAt: string;
  completedAt: string | null;
}
