import type { FoundSession, FoundWords, SessionListQuery } from "@/lib/contracts/sessions";
import { escapeLike } from "@/lib/db/escape-like";
import { db } from "@/lib/db/pool";
import { type CursorPage, type CursorPosition, decodeTimeCursor, encodeCursor } from "@/lib/domain/cursor";
import { excerptOf } from "@/lib/domain/excerpt";
import type { ProjectScope } from "@/lib/domain/principal";
import { readSearchWords } from "@/lib/domain/read-search-words";
import { limitParallel } from "@/lib/limit-parallel";
import { isOnNewestPage, TURN_BYTES } from "@/lib/services/sessions/list-session-turns";
import { sessionConditions } from "@/lib/services/sessions/search-sessions";
import { SUMMARY_COLUMNS, type SummaryRow, toSessionSummary } from "@/lib/services/sessions/session-summary";

/** How far a search looks before it shows what it has found. */
export interface SearchBounds {
  /** Sessions and bytes of one statement; the session that exceeds the bytes is still looked through. */
  sessions: number;
  bytes: number;
  /** No further statement begins after so long. */
  milliseconds: number;
}

const BOUNDS: SearchBounds = { sessions: 200, bytes: 4_000_000, milliseconds: 2_000 };
/** Of a session with more to read than this, its newest turns are looked through. */
const MAX_SESSION_BYTES = 32_000_000;
const EXCERPT_CHARACTERS = 400;
const CHARACTERS_BEFORE = 60;

/** Reading much costs the database: whoever searches beside others waits for them. */
const inTurn = limitParallel(2);

/**
 * Sessions of the project in which all words were said together, in one question, one answer or the name of one file that
 * was sent, newest first. No index is kept for it, which each turn would have to pay for: it looks through the sessions that
 * the other filters let through from the newest on, for two seconds or so. Its cursor is where it stopped, so that a page may
 * have few sessions, or none, and more may follow; null when it has looked through all.
 */
export async function findWords(
  scope: ProjectScope,
  words: string,
  query: Omit<SessionListQuery, "words">,
  bounds = BOUNDS,
): Promise<CursorPage<FoundSession>> {
  return inTurn(() => walk(scope, readSearchWords(words), query, bounds), { lane: scope.accountId });
}

async function walk(
  scope: ProjectScope,
  words: string[],
  { limit, cursor, ...filters }: Omit<SessionListQuery, "words">,
  bounds: SearchBounds,
): Promise<CursorPage<FoundSession>> {
  const endMs = performance.now() + bounds.milliseconds;
  const hits = new Map<string, FoundWords>();
  let position = cursor === undefined ? undefined : decodeTimeCursor(cursor);
  do {
    const looked = await lookThrough({ scope, words, filters, position, bounds });
    if (looked.length === 0) return { data: await summarize(scope, hits), nextCursor: null };
    for (const row of looked) {
      position = [row.createdAt.toISOString(), row.id];
      if (row.place !== null) hits.set(row.id, toFoundWords(row, words));
      if (hits.size === limit) break;
    }
  } while (hits.size < limit && performance.now() < endMs);
  return { data: await summarize(scope, hits), nextCursor: position ? encodeCursor(position) : null };
}

interface Look {
  scope: ProjectScope;
  words: string[];
  filters: Omit<SessionListQuery, "words" | "limit" | "cursor">;
  position: CursorPosition | undefined;
  bounds: SearchBounds;
}

interface HitRow {
  place: FoundWords["place"];
  position: number;
  /** From a little before the first word on. */
  text: string;
  isCut: boolean;
  turnsAfter: number;
  bytesAfter: number;
}

type LookedRow = { id: string; createdAt: Date } & (HitRow | { place: null });

/** The next sessions, newest first, and of each whether the words are in it. */
async function lookThrough({ scope, words, filters, position, bounds }: Look): Promise<LookedRow[]> {
  const conditions = sessionConditions(scope, filters);
  if (position) conditions.add((at, id) => `(s.created_at, s.id) < (${at}::timestamptz, ${id})`, ...position);
  const spellings = spellingsOf(words).map(([first, ...others]) => ({
    first: conditions.place(first),
    patterns: conditions.place([first, ...others].map((word) => `%${escapeLike(word)}%`)),
  }));
  const { rows } = await db().query<LookedRow>(
    `SELECT looked.id, looked.created_at AS "createdAt", hit.place, hit.position, hit."isCut", hit.text,
            after.turns AS "turnsAfter", after.bytes AS "bytesAfter"
     FROM (
       SELECT sized.*, sum(bytes) OVER (ORDER BY created_at DESC, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                AS before
       FROM (
         SELECT page.*, (SELECT sum(${TURN_BYTES}) FROM turns t WHERE t.session_id = page.id) AS bytes
         FROM (SELECT s.id, s.created_at FROM sessions s WHERE ${conditions}
               ORDER BY s.created_at DESC, s.id DESC LIMIT ${conditions.place(bounds.sessions)}) page
       ) sized
     ) looked
     LEFT JOIN LATERAL (${hitOf(spellings)}) hit ON true
     LEFT JOIN LATERAL (
       SELECT count(*)::int AS turns, coalesce(sum(${TURN_BYTES}), 0)::float8 AS bytes
       FROM turns t WHERE t.session_id = looked.id AND t.position > hit.position
     ) after ON hit.place IS NOT NULL
     WHERE looked.before IS NULL OR looked.before < ${conditions.place(bounds.bytes)}
     ORDER BY looked.created_at DESC, looked.id DESC`,
    conditions.values,
  );
  return rows;
}

/** The words as people type them, and with marks apart from their letters, as a Mac writes names of files; most are the same so. */
function spellingsOf(words: string[]): [string, ...string[]][] {
  const apart = words.map((word) => word.normalize("NFD"));
  const spellings = apart.join() === words.join() ? [words] : [words, apart];
  return spellings.map(([first = "", ...others]) => [first, ...others]);
}

/** Where the words stand in the statement's values: the first, and the patterns of all. */
interface PlacedWords {
  first: string;
  patterns: string;
}

/** The newest message of the session `looked` with all the words, else a file whose name has them. */
function hitOf(spellings: PlacedWords[]): string {
  const firsts = spellings.map(({ first }) => `strpos(lower(whole.text), lower(${first}))`);
  const begin = `greatest(1, greatest(${firsts}) - ${CHARACTERS_BEFORE})`;
  const hasAll = (text: string) =>
    `(${spellings.map(({ patterns }) => `${text} ILIKE ALL (${patterns}::text[])`).join(" OR ")})`;
  const said = `
    SELECT said.place, t.position, said.text
    FROM (
      SELECT t.position, t.input, t.output,
             sum(${TURN_BYTES}) OVER (ORDER BY t.position DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS newer
      FROM turns t WHERE t.session_id = looked.id AND t.project_id = $1
    ) t
    CROSS JOIN LATERAL (VALUES ('answer', t.output), ('question', t.input)) said (place, text)
    WHERE (t.newer IS NULL OR t.newer < ${MAX_SESSION_BYTES}) AND ${hasAll("said.text")}
    ORDER BY t.position DESC LIMIT 1`;
  const sent = `
    SELECT 'file', t.position, f.name
    FROM stored_files f JOIN turns t ON t.id = f.turn_id
    WHERE f.session_id = looked.id AND f.project_id = $1 AND f.purpose = 'input' AND f.deleted_at IS NULL
      AND ${hasAll("f.name")}
    ORDER BY t.position DESC LIMIT 1`;
  return `
    SELECT whole.place, whole.position, ${begin} > 1 AS "isCut", substr(whole.text, ${begin}, ${EXCERPT_CHARACTERS}) AS text
    FROM ((${said}) UNION ALL (${sent}) LIMIT 1) whole (place, position, text)`;
}

function toFoundWords({ place, position, text, isCut, turnsAfter, bytesAfter }: HitRow, words: string[]): FoundWords {
  return {
    place,
    position,
    isOnNewestPage: isOnNewestPage({ turns: turnsAfter, bytes: bytesAfter }),
    excerpt: excerptOf(text.normalize("NFC"), words, isCut),
  };
}

async function summarize({ projectId }: ProjectScope, hits: Map<string, FoundWords>): Promise<FoundSession[]> {
  const { rows } = await db().query<SummaryRow>(
    `SELECT ${SUMMARY_COLUMNS} FROM sessions s WHERE s.id = ANY($1::text[]) AND s.project_id = $2
     ORDER BY s.created_at DESC, s.id DESC`,
    [[...hits.keys()], projectId],
  );
  return rows.flatMap((row) => {
    const found = hits.get(row.id);
    return found ? [{ ...toSessionSummary(row), found }] : [];
  });
}
