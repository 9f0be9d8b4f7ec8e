import type { OutputSchema } from "@/lib/domain/schema-keywords";
import type { SessionKind } from "@/lib/domain/session-status";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import type { RetriedTurn } from "@/lib/services/turns/take-over-turn";

/** One user input, ready to be queued. */
export interface TurnInput {
  /** As usage and logs name it: "POST /chat". */
  endpoint: string;
  requestId: string;
  /** Of the session that is made when `sessionId` is absent. */
  kind: SessionKind;
  sessionId?: string;
  endUserId?: string;
  /** What the user says, with the template rendered. */
  input: string;
  /** The instruction of a new processing as the client worded it. */
  prompt?: string;
  fileContent?: string;
  template?: { id: string; version: number };
  callbackUrl?: string;
  /** The client's own for it. */
  reference?: string;
  maxCredits?: number;
  /** What the call itself named, where its project lets it cost less: 0 where it named nothing. */
  callMaxCredits?: number;
  /** What the answer has to fit. */
  outputSchema?: OutputSchema;
  files?: UploadDraft[];
  /** What it tries again; in the same session. */
  retryOf?: RetriedTurn;
  /** Estimated tokens that the service adds for the project; counted in what is promised. */
  addedTokens?: number;
  /** What is promised to the turn until it ends. */
  creditsToReserve: number;
}
