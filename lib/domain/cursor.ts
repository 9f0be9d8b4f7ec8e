import { invalidField } from "@/lib/domain/errors";

/** One part of a list that goes by position, so that a long list is as quick as a short one. */
export interface CursorPage<T> {
  data: T[];
  /** Give it to the next call for what follows; null at the end. */
  nextCursor: string | null;
}

/** How many items, and behind which cursor to go on. */
export interface CursorRequest {
  /** 1 or more. */
  limit: number;
  /** `nextCursor` of the part before; absent: from the start. */
  cursor?: string | undefined;
}

/** Where in a list an item stands: its time (or another sort value) and, to tell equal ones apart, its id. */
export type CursorPosition = readonly [sortValue: string, id: string];

const MAX_CURSOR_CHARACTERS = 1_000;

/** An opaque text for a position in a list. */
export function encodeCursor(position: CursorPosition): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/**
 * The position that `encodeCursor` made a text of.
 * @throws AppError VALIDATION_FAILED for any other text
 */
export function decodeCursor(cursor: string): CursorPosition {
  const position = cursor.length <= MAX_CURSOR_CHARACTERS ? parse(cursor) : null;
  if (!isPosition(position)) throw invalidField("cursor", "is not one that this list has given");
  return position;
}

/**
 * As `decodeCursor`, for lists that are sorted by a time: one that `toISOString` wrote. Of what else `Date` can read, Postgres
 * takes some for no time.
 */
export function decodeTimeCursor(cursor: string): CursorPosition {
  const position = decodeCursor(cursor);
  if (!isIsoTime(position[0])) throw invalidField("cursor", "is not one that this list has given");
  return position;
}

/**
 * Makes a part of a list of rows that were read with one more than asked for: the one too many says that there is more.
 */
export function makeCursorPage<Row, T>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => T,
  positionOf: (row: Row) => CursorPosition,
): CursorPage<T> {
  const kept = rows.slice(0, limit);
  const last = rows.length > limit ? kept.at(-1) : undefined;
  return { data: kept.map(toItem), nextCursor: last === undefined ? null : encodeCursor(positionOf(last)) };
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}

function isIsoTime(text: string): boolean {
  const time = new Date(text);
  // Postgres knows no year 0.
  return /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

function isPosition(value: unknown): value is CursorPosition {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((part) => typeof part === "string" && !part.includes("\u0000"))
  );
}
