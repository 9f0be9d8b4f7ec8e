import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { endUserIdField } from "@/lib/contracts/fields";
import { cursorFields } from "@/lib/contracts/panel-lists";
import { timeRangeFields } from "@/lib/contracts/time-range";
import { ERROR_CODES, type ErrorCode } from "@/lib/domain/errors";

/** Calls to the API as the panel's Logs show them (§5.9). */

const MAX_TEXT_CHARACTERS = 200;

/** Why a call can be refused, by name. */
export const CALL_ERROR_CODES = Object.keys(ERROR_CODES).sort() as ErrorCode[];

export const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;

const filterFields = {
  /** "POST /chat" */
  endpoint: plainText(z.string().min(1).max(MAX_TEXT_CHARACTERS)).optional(),
  status: z.enum(STATUS_CLASSES).optional(),
  errorCode: z.enum(CALL_ERROR_CODES).optional(),
  /** Of a key, or `ANY_PLAYGROUND_KEY`. */
  keyId: plainText(z.string().min(1).max(MAX_TEXT_CHARACTERS)).optional(),
  endUserId: endUserIdField.optional(),
  ip: z.union([z.ipv4(), z.ipv6()], "must be an IP address").optional(),
  requestId: plainText(z.string().trim().min(1).max(MAX_TEXT_CHARACTERS)).optional(),
  sessionId: plainText(z.string().trim().min(1).max(MAX_TEXT_CHARACTERS)).optional(),
  ...timeRangeFields,
};

/** Filters of the list, as its address has them; they combine with AND. The export takes the same. */
export const callFilterQuery = z.object(filterFields);

/** The same with the part of the list that is asked for, or the tail's last look. */
export const callListQuery = z.object({ ...filterFields, ...cursorFields });

export type CallFilters = z.output<typeof callFilterQuery>;

/** Names and sizes of a call; nothing of its content. */
export interface CallSummary {
  /** As the client announced it. */
  bodyBytes?: number;
  /** Fields of the body: characters of a text, entries of an object, else 1. */
  fields?: Record<string, number>;
  fileBytes?: number[];
  /** Query parameters that were there. */
  query?: string[];
  /** Fields that were refused. */
  invalid?: string[];
  /** Of a batch: the sessions it started. */
  sessionIds?: string[];
  /** The answer to an earlier call with the same idempotency key. */
  isReplay?: boolean;
  /** Of the answer's whole body; not there of one that goes on (a stream). */
  answerBytes?: number;
  /** Unless it is JSON. */
  answerType?: string;
  /** Of an answer that is a list: its entries. */
  answerItems?: number;
}

export interface LoggedCall {
  id: string;
  projectId: string;
  apiKeyId: string | null;
  requestId: string;
  endpoint: string;
  /** With the ids of the call, without its query. */
  path: string;
  status: number;
  errorCode: ErrorCode | null;
  /** Until the answer began. */
  durationMs: number;
  /** What the turns that the call started cost; 0 while they are open. */
  credits: number;
  ip: string | null;
  userAgent: string | null;
  sessionId: string | null;
  turnId: string | null;
  endUserId: string | null;
  summary: CallSummary;
  createdAt: string;
}

/** One call with what it belongs to. */
export interface CallDetail extends LoggedCall {
  apiKey: { id: string; name: string; hint: string } | null;
  /** What the call started; several of a batch. */
  turns: { id: string; sessionId: string; status: string; creditsUsed: number }[];
}

/** What was logged since, for the live tail. */
export interface CallTail {
  /** The oldest first. */
  calls: LoggedCall[];
  /** Give it to the next look. */
  cursor: string;
}
