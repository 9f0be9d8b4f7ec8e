import { db } from "@/lib/db/pool";

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
const QUESTION_EDGE_CHARACTERS = 4_000;

/**
 * Any word of the question counts; headings count more than text (rank weights of Postgres). Words that every text has
 * are left out by the dictionary, which stems English and takes other languages as they are written.
 */
const FIND_SECTIONS = `
  WITH question AS (
    SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS words FROM unnest(to_tsvector('english', $3))
  )
  SELECT s.file_id AS "fileId", s.position, s.heading, s.content, s.token_count AS tokens
  FROM knowledge_sections s, question q
  WHERE s.project_id = $1 AND s.file_id = ANY($2::text[]) AND s.search @@ q.words
  ORDER BY ts_rank(s.search, q.words, 1) DESC, s.file_id, s.position LIMIT ${MAX_SECTIONS}`;

/** Where no word meets: how each file begins, the first sections of all files before the second ones. */
const FIRST_SECTIONS = `
  SELECT s.file_id AS "fileId", s.position, s.heading, s.content, s.token_count AS tokens
  FROM knowledge_sections s
  WHERE s.project_id = $1 AND s.file_id = ANY($2::text[])
  ORDER BY s.position, s.file_id LIMIT ${MAX_SECTIONS}`;

/** The sections of these files that say most about a question, best first. */
export async function findSections(projectId: string, fileIds: string[], question: string): Promise<RankedSection[]> {
  const words = edgesOf(question).replace(/[\\'\u0000]/g, " ");
  const found = await db().query<RankedSection>({
    name: "find-knowledge-sections",
    text: FIND_SECTIONS,
    values: [projectId, fileIds, words],
  });
  if (found.rows.length > 0) return found.rows;
  const first = await db().query<RankedSection>({
    name: "first-knowledge-sections",
    text: FIRST_SECTIONS,
    values: [projectId, fileIds],
  });
  return first.rows;
}

function edgesOf(text: string): string {
  if (text.length <= 2 * QUESTION_EDGE_CHARACTERS) return text;
  return `${text.slice(0, QUESTION_EDGE_CHARACTERS)} ${text.slice(-QUESTION_EDGE_CHARACTERS)}`.toWellFormed();
}
