import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import type { SessionKind, SessionStatus } from "@/lib/domain/session-status";

/** What the AI saw of a turn, in figures: no names of files, no paths of the knowledge, no headings. */
export interface StaffReceipt
  extends Pick<ContextReceipt, "outputCut" | "isTokenCountEstimated" | "history" | "tokens"> {
  /** Of each file what was read of it, by kind and figures. */
  files: Record<string, unknown>[];
  /** How many knowledge files went along whole, by sections, and not at all. */
  knowledge: { whole: number; sections: number; none: number } | null;
  hasMemory: boolean;
  parts: { count: number; joins: number } | null;
  soundSeconds: number | null;
}

/** A turn as staff see it. */
export interface StaffTurn {
  id: string;
  /** From 0 on. */
  position: number;
  endpoint: string;
  requestId: string;
  status: string;
  errorCode: string | null;
  model: string | null;
  outputType: string | null;
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
  /** How often work on it was begun. */
  begun: number;
  /** Of the input, with its template rendered. */
  inputBytes: number;
  /** Of the text that came along; null: none did. */
  inlineBytes: number | null;
  outputBytes: number | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** Null: the model was not asked yet. */
  receipt: StaffReceipt | null;
}

/** A session as staff see it: how it went, and nothing of what was said. */
export interface StaffSession {
  id: string;
  accountId: string;
  companyName: string;
  projectId: string;
  projectName: string;
  kind: SessionKind;
  status: SessionStatus;
  turnCount: number;
  createdAt: string;
  lastActivityAt: string;
  /** The latest first, of a long session the newest of them. */
  turns: StaffTurn[];
}
