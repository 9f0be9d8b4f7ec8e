import type { OutputCut, OutputType } from "@/lib/domain/session-status";
import type { TurnErrorCode } from "@/lib/domain/turn-errors";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";

/** What the model saw; the context receipt is read from it. */
export type TurnContext = Record<string, unknown>;

/** A turn that was answered. */
export interface CompletedEnd {
  status: "completed";
  output: string;
  /** The last piece of the output, where it is not in the session's log yet: it is written there with the end. */
  lastDelta?: string;
  outputType: OutputType;
  /** Of an answer that ends before it is done. */
  outputCut?: OutputCut;
  /** The file that the turn made: adopted with the turn's end. */
  outputDraft?: UploadDraft;
  tokensIn: number;
  tokensOut: number;
  /** What the answer costs; charged up to what the account has. */
  credits: number;
  model: string;
  context?: TurnContext;
  /** Whether the end user's profile is to be brought up to date. */
  isMemoryDue?: boolean;
}

/** A turn that ended without an answer. */
export interface FailedEnd {
  status: "failed";
  errorCode: TurnErrorCode;
  errorMessage: string;
  /** What the model's server said, for the log alone. */
  reason?: string | undefined;
  context?: TurnContext;
}

/** How a turn ended. Tokens and credits of a turn without an answer are zero: it costs nothing (contract §7). */
export type TurnEnd = CompletedEnd | FailedEnd | { status: "canceled"; errorCode: "CANCELED"; errorMessage: string };

/** A turn that is to end. */
export interface EndingTurn {
  turnId: string;
  /** The worker's own; null ends the turn whoever works on it. */
  generation: number | null;
  end: TurnEnd;
  /** What its worker knows of it. */
  claimed?: KnownTurn | undefined;
}

export type KnownTurn = Pick<ClaimedTurn, "accountId" | "sessionId" | "endUserId" | "hasReceivers">;
