import { z } from "zod";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import { plainText } from "@/lib/contracts/edit-base";
import { endUserIdField } from "@/lib/contracts/fields";
import { cursorFields } from "@/lib/contracts/panel-lists";
import { timeRangeFields } from "@/lib/contracts/time-range";
import type { ExcerptPart } from "@/lib/domain/excerpt";
import { isId } from "@/lib/domain/ids";
import { readSearchWords } from "@/lib/domain/read-search-words";
import {
  type OutputType,
  SESSION_KINDS,
  SESSION_STATUSES,
  type SessionKind,
  type SessionStatus,
} from "@/lib/domain/session-status";
import { TURN_ERROR_CODES } from "@/lib/domain/turn-errors";
import type { TurnProgress } from "@/lib/domain/turn-progress";

/** Sessions as the panel shows them: more than the API says of them (§2.1), for the project's owner. */

const MAX_TEXT_CHARACTERS = 200;

/** For a filter: the last work failed, whether the session has expired since or not. */
export const UNANSWERED = "unanswered";

const filterFields = {
  kind: z.enum(SESSION_KINDS).optional(),
  status: z.enum([...SESSION_STATUSES, UNANSWERED]).optional(),
  /** Why the last work got no answer. */
  errorCode: z.enum(TURN_ERROR_CODES).optional(),
  endUserId: endUserIdField.optional(),
  /** The client's own, whole. */
  reference: plainText(z.string().min(1).max(MAX_TEXT_CHARACTERS)).optional(),
  templateId: plainText(z.string().min(1).max(MAX_TEXT_CHARACTERS)).optional(),
  /** Id of a session, turn, request, file or delivery, or an end user. */
  q: plainText(z.string().trim().min(1).max(MAX_TEXT_CHARACTERS)).optional(),
  /** What was said in it, or is part of the name of a file that was sent. */
  words: plainText(z.string().trim().min(1).max(MAX_TEXT_CHARACTERS))
    .refine((text) => readSearchWords(text).length > 0, "has no word to look for")
    .optional(),
  ...timeRangeFields,
};

/** Filters of the panel's list, as its address has them; they combine with AND. The export takes the same. */
export const sessionFilterQuery = z.object(filterFields);

/** The same with the part of the list that is asked for. */
export const sessionListQuery = z.object({ ...filterFields, ...cursorFields });

export type SessionFilters = z.output<typeof sessionFilterQuery>;
export type SessionListQuery = z.output<typeof sessionListQuery>;

const RETRIED_STATUSES = [UNANSWERED, "failed", "canceled"] as const;

/** The status by which what the list's filters let through is tried again; undefined where there may be others among it. */
export function retriedStatus({ status, errorCode }: Record<string, unknown>): RetryFilters["status"] | undefined {
  const all = errorCode === "CANCELED" ? "canceled" : errorCode ? UNANSWERED : undefined;
  return RETRIED_STATUSES.find((retried) => retried === (status || all));
}

/** Which sessions of the list are tried again. */
export const retryInput = z.strictObject({ ...filterFields, status: z.enum(RETRIED_STATUSES) });

export type RetryFilters = z.output<typeof retryInput>;

/** What became of trying many sessions again. */
export interface RetriedSessions {
  started: number;
  /** How many could not be tried again. */
  refused: number;
  /** How many have a file that cannot be read: they are tried where they are asked for by that code alone. */
  unreadable: number;
  /** Why the first of those could not, or why no more were begun. */
  why: string | null;
  /** Whether some are left that were not come to. */
  hasMore: boolean;
}

export const sessionInput = z.strictObject({
  sessionId: z.string().refine((text) => isId("session", text), "is not the id of a session"),
});

/** The greatest value of an `integer` column. */
const MAX_POSITION = 2_147_483_647;

/** Where a long session is shown from: only turns of a lower position. */
export const turnPlaceQuery = z.object({
  before: z.coerce.number().int().min(1).max(MAX_POSITION).optional().catch(undefined),
});

export interface SessionSummary {
  id: string;
  kind: SessionKind;
  status: SessionStatus;
  endUserId: string | null;
  /** The client's own. */
  reference: string | null;
  templateId: string | null;
  /** How the first input begins, on one line. */
  preview: string;
  /** Of a processing: the file that it began with. */
  fileName: string | null;
  turnCount: number;
  tokensUsed: number;
  creditsUsed: number;
  errorCode: string | null;
  createdAt: string;
  lastActivityAt: string;
}

/** Where in a session the words are that were searched for. */
export interface FoundWords {
  place: "question" | "answer" | "file";
  /** Of the newest turn that has them; 0 for the first. */
  position: number;
  /** Whether the session's page has that turn on it when it opens with the newest ones. */
  isOnNewestPage: boolean;
  excerpt: ExcerptPart[];
}

export interface FoundSession extends SessionSummary {
  found: FoundWords;
}

export interface SessionFile {
  id: string;
  turnId: string | null;
  /** Whether the client sent it or the AI made it. */
  purpose: "input" | "output";
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Where whoever has this address can fetch it. */
  url: string;
  createdAt: string;
}

export type TurnStatus = "queued" | "running" | "completed" | "failed" | "canceled";

export interface SessionTurn {
  id: string;
  /** 0 for the first. */
  position: number;
  status: TurnStatus;
  /** "POST /chat" */
  endpoint: string;
  requestId: string;
  apiKeyId: string | null;
  /** With its template rendered. */
  input: string;
  /** Inline text of the call: how long it is, and how it begins. */
  fileContent: { characters: number; preview: string } | null;
  template: { id: string; version: number | null } | null;
  files: SessionFile[];
  output: string | null;
  outputType: OutputType | null;
  error: { code: string; message: string } | null;
  model: string | null;
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
  /** Promised to the turn while it is open. */
  creditsReserved: number;
  maxCredits: number | null;
  /** Whether the answer has to fit a schema: it is JSON. */
  isBySchema: boolean;
  /** What the AI saw; null while the turn is open. */
  context: ContextReceipt | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

/** Something that happened in a session. */
export type TimelineEntry = { at: string } & (
  | { kind: "session.created" }
  | { kind: "turn.accepted" | "turn.started" | "turn.retried" | "turn.completed" | "turn.canceled"; turnId: string }
  | ({ kind: "turn.progress"; turnId: string } & TurnProgress)
  | { kind: "turn.failed"; turnId: string; errorCode: string | null }
  | { kind: "memory.updated"; turnId: string | null; version: number }
  | {
      kind: "delivery";
      deliveryId: string;
      event: string;
      url: string;
      status: "pending" | "delivered" | "failed" | "held";
      attempts: number;
      deliveredAt: string | null;
    }
);

export interface SessionDetail extends SessionSummary {
  /** The instruction of a processing as the client worded it. */
  prompt: string | null;
  callbackUrl: string | null;
  lastOutput: string | null;
  outputType: OutputType | null;
  /** Of a binary output. */
  downloadUrl: string | null;
  error: { code: string; message: string } | null;
  tokensIn: number;
  tokensOut: number;
  /** Turns that are queued or running: what can be canceled. */
  openTurns: number;
  completedAt: string | null;
  /** The newest ones, the oldest of them first. */
  turns: SessionTurn[];
  /** Turns before those; ask for them by the position of the first one shown. */
  earlierTurns: number;
  /** Of the turns shown, the oldest entry first. */
  timeline: TimelineEntry[];
}
