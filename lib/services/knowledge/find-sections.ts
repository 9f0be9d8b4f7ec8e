import { db } from "@/lib/db/pool";
import { searchPieces } from "@/lib/domain/search-pieces";
import { otherSpellings, unmetStems } from "@/lib/domain/search-words";

/** A section of a knowledge file that may help with a call. */
export interface RankedSection {
  fileId: string;
  position: number;
  heading: string;
  content: string;
  tokens: number;
}

/** More are not looked at for one call. */
const MAX_SECTIONS = 200;
/** What is asked stands at the beginning or the end of a long input. */
export const QUESTION_EDGE_CHARACTERS = 4_000;
/** Of a longer question those at both its ends: a template's words stand around what is asked, and each takes its time. */
const MAX_WEIGHED_WORDS = 100;
/** All words of a question count no more than so many: else a long one is answered by what has most of its "and" and "the". */
const MAX_COUNTED_WORDS = 20;
/** Of so many it is counted which words are frequent: those in more than that share. */
const SAMPLED_SECTIONS = 64;
const FREQUENT_SHARE = 0.33;
/** What one section alone has tells it from all others, however few they are. */
const FREQUENT_AT_LEAST = 1;
/** As much as the frequent words of a question together: what begins like a word may be its other ending, or another word. */
const BEGINNING_WEIGHT = 10;
/** The word itself is found by its beginning, too. */
const TELLING_WEIGHT = 20;
/** In a heading, a beginning says no more than in the text: "Containers" is not what is asked about how to contact somebody. */
const AS_IN_TEXT = "'{0.1, 0.1, 0.1, 0.1}'";

/**
 * Any word of the question counts; headings count more than text (rank weights of Postgres). Words that every English text
 * has are left out by the dictionary; what else stands in many sections, and the like of "der" and "ist", a sample of them
 * tells: such a word counts little beside one that few have. (A rank is the mean of all words; times their number it is the
 * sum.) The dictionary stems English and takes other languages as they
 * are written: so a word counts again by how it begins, which finds its other endings. A number is also found behind a
 * hyphen, which the dictionary takes for its sign ("E-1042").
 */
const FIND_SECTIONS = `
  WITH sample AS MATERIALIZED (
    SELECT search FROM knowledge_sections WHERE project_id = $1 AND file_id = ANY($2::text[])
    ORDER BY hashint4(position), file_id LIMIT ${SAMPLED_SECTIONS}
  ),
  frequent AS (
    SELECT u.lexeme FROM sample, unnest(search) u GROUP BY u.lexeme
    HAVING count(*) > greatest(${FREQUENT_AT_LEAST}, (SELECT count(*) FROM sample) * ${FREQUENT_SHARE})
  ),
  words AS (
    SELECT w.lexeme, length(w.lexeme) AS length, w.lexeme ~ '^-?[0-9]+$' AS is_number, ltrim(w.lexeme, '-') AS digits,
           f.lexeme IS NULL AND row_number() OVER (
             PARTITION BY f.lexeme IS NULL
             ORDER BY least(w.positions[1], w.words - w.positions[cardinality(w.positions)]), w.lexeme
           ) <= ${MAX_WEIGHED_WORDS} AS is_telling
    FROM (SELECT *, max(positions[cardinality(positions)]) OVER () AS words FROM unnest(to_tsvector('english', $3))) w
    LEFT JOIN frequent f ON f.lexeme = w.lexeme
  ),
  question AS (
    SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS "any",
           (string_agg(quote_literal(lexeme), ' | ') FILTER (WHERE is_telling))::tsquery AS telling,
           (string_agg(CASE WHEN is_number THEN quote_literal(digits) || ' | ' || quote_literal('-' || digits)
                            ELSE quote_literal(left(lexeme, greatest(4, least(length - 2, round(length * 0.7)::int)))) || ':*'
                       END, ' | ') FILTER (WHERE is_telling AND (is_number OR length >= 4)))::tsquery AS beginnings
    FROM words
  )
  SELECT s.file_id AS "fileId", s.position, s.heading, s.content, s.token_count AS tokens
  FROM question q, knowledge_sections s, LATERAL (SELECT s.search || '' AS search OFFSET 0) w
  WHERE s.project_id = $1 AND s.file_id = ANY($2::text[]) AND (w.search @@ q."any" OR w.search @@ q.beginnings)
  ORDER BY ts_rank(w.search, q."any", 1) * least(numnode(q."any") + 1, ${2 * MAX_COUNTED_WORDS})
             + ${TELLING_WEIGHT} * coalesce(ts_rank(w.search, q.telling, 1) * (numnode(q.telling) + 1), 0)
             + ${BEGINNING_WEIGHT} * coalesce(ts_rank(${AS_IN_TEXT}, w.search, q.beginnings, 1) * (numnode(q.beginnings) + 1), 0) DESC,
           s.file_id, s.position
  LIMIT ${MAX_SECTIONS}`;

/**
 * A piece counts the more the fewer sections have it, and not at all when all do. Each text is unpacked and made small once, for
 * all pieces together; where none of these has other letters that may be large ($4), only the ASCII ones, which costs a tenth.
 */
const FIND_BY_PIECES = `
  WITH met AS MATERIALIZED (
    SELECT s.file_id, s.position, t.pieces
    FROM knowledge_sections s, LATERAL (
      SELECT array(SELECT p.piece FROM unnest($3::text[]) AS p (piece) WHERE strpos(l.text, p.piece) > 0) AS pieces
      FROM (SELECT CASE WHEN $4 THEN lower(s.heading || ' ' || s.content)
                        ELSE lower((s.heading || ' ' || s.content) COLLATE "C") END COLLATE "C" AS text OFFSET 0) l
      OFFSET 0
    ) t
    WHERE s.project_id = $1 AND s.file_id = ANY($2::text[])
  ),
  hits AS (SELECT file_id, position, piece FROM met, unnest(pieces) AS piece),
  pieces AS (SELECT piece, ln((SELECT count(*) FROM met)::float / count(*)) AS weight FROM hits GROUP BY piece),
  best AS (
    SELECT file_id, position, sum(weight) AS score FROM hits JOIN pieces USING (piece)
    GROUP BY file_id, position HAVING sum(weight) > 0 ORDER BY score DESC, file_id, position LIMIT ${MAX_SECTIONS}
  )
  SELECT s.file_id AS "fileId", s.position, s.heading, s.content, s.token_count AS tokens
  FROM best JOIN knowledge_sections s USING (file_id, position) WHERE s.project_id = $1
  ORDER BY best.score DESC, s.file_id, s.position`;

/** Where no word meets: how each file begins, the first sections of all files before the second ones. */
const FIRST_SECTIONS = `
  SELECT s.file_id AS "fileId", s.position, s.heading, s.content, s.token_count AS tokens
  FROM knowledge_sections s
  WHERE s.project_id = $1 AND s.file_id = ANY($2::text[])
  ORDER BY s.position, s.file_id LIMIT ${MAX_SECTIONS}`;

/** What stands beside a question counts so much of it: it may be of something else. */
const SHARE_BESIDE = 0.5;

/**
 * The sections of these files that say most about a question, best first.
 * @param beside what came along, and what was asked before: "How much is it?" does not say of what
 */
export async function findSections(
  projectId: string,
  fileIds: string[],
  question: string,
  beside = "",
): Promise<RankedSection[]> {
  const ask: Ask = async (name, text, values) => {
    const { rows } = await db().query<RankedSection>({ name, text, values: [projectId, fileIds, ...values] });
    return rows;
  };
  const [asked, told] = await Promise.all([question, beside].map((text) => (text === "" ? [] : rank(ask, text))));
  const found = joinRankings([asked ?? [], told ?? []], SHARE_BESIDE);
  return found.length > 0 ? found : ask("first-knowledge-sections", FIRST_SECTIONS, []);
}

type Ask = (name: string, text: string, values: unknown[]) => Promise<RankedSection[]>;

async function rank(ask: Ask, question: string): Promise<RankedSection[]> {
  const words = edgesOf(question).replace(/[\\'\u0000]/g, " ");
  const { pieces, isInWords } = searchPieces(words);
  const byPieces =
    pieces.length === 0 ? [] : await ask("find-knowledge-pieces", FIND_BY_PIECES, [pieces, hasCases(pieces)]);
  if (byPieces.length > 0 && !isInWords) return byPieces;
  const byWords = await ask("find-knowledge-sections", FIND_SECTIONS, [withOtherForms(words)]);
  const inner = unmetStems(words, byWords.map(textOf));
  const byInner =
    inner.length === 0 ? [] : await ask("find-knowledge-pieces", FIND_BY_PIECES, [inner, hasCases(inner)]);
  return joinRankings([byWords, byPieces, byInner]);
}

/**
 * Several rankings as one: first what stands high in all, then what does in one of them. Their places count, for their ranks
 * have no common measure.
 * @param shareOfOthers how much those behind the first count
 */
function joinRankings(rankings: RankedSection[][], shareOfOthers = 1): RankedSection[] {
  const scored = new Map<string, { section: RankedSection; score: number }>();
  for (const [index, ranking] of rankings.entries()) {
    for (const [place, section] of ranking.entries()) {
      const key = `${section.position} ${section.fileId}`;
      const score = (scored.get(key)?.score ?? 0) + (index === 0 ? 1 : shareOfOthers) / (place + 2);
      scored.set(key, { section, score });
    }
  }
  const best = [...scored.values()].sort((a, b) => b.score - a.score).slice(0, MAX_SECTIONS);
  return best.map(({ section }) => section);
}

/**
 * Names of several parts are one word to the dictionary ("prices/terms"): their parts are looked for too, and so is what is
 * also written otherwise.
 */
function withOtherForms(words: string): string {
  const parts = words.replace(/[-/._@:]+/g, " ");
  return [words, ...(parts === words ? [] : [parts]), ...otherSpellings(words)].join(" ");
}

/** Whether what is looked for has letters that a text may have as capitals, beside the ASCII ones. */
function hasCases(pieces: string[]): boolean {
  const others = pieces.join("").replace(/[\0-\x7f]/g, "");
  return others !== others.toUpperCase();
}

function textOf({ heading, content }: RankedSection): string {
  return `${heading} ${content}`;
}

function edgesOf(text: string): string {
  if (text.length <= 2 * QUESTION_EDGE_CHARACTERS) return text;
  return `${text.slice(0, QUESTION_EDGE_CHARACTERS)} ${text.slice(-QUESTION_EDGE_CHARACTERS)}`.toWellFormed();
}
