import { hotDb } from "@/lib/db/pool";
import { QUESTION_EDGE_CHARACTERS } from "@/lib/services/knowledge/find-sections";
import { charactersOf } from "@/lib/services/turns/read-messages";

/**
 * The text that came along with a call (`fileContent`, at most 10 MB). Hundreds of turns are under way at once: a short text is
 * claimed with its turn, a long one stays in the database, and is read where it is needed, as far as it is.
 */

/** Longer texts than calls share a statement for. */
const LONG_INLINE_BYTES = 256 * 1024;

/** Of a turn `t`, for a claim. The length is known without the text being read. */
export const INLINE_COLUMNS = `
  CASE WHEN octet_length(t.file_content) <= ${LONG_INLINE_BYTES} THEN t.file_content END AS "fileContent",
  coalesce(octet_length(t.file_content) > ${LONG_INLINE_BYTES}, false) AS "isInlineLong"`;

/** A turn, or what is not claimed and has its text at hand. */
interface InlineTurn {
  turnId?: string;
  fileContent?: string | null;
  isInlineLong?: boolean;
}

/**
 * The text, or null where none came along.
 * @param tokens how much of it is of use: a longer one comes cut, and is more than that all the same; all of it when absent
 */
export async function readInlineText({ turnId, fileContent, isInlineLong }: InlineTurn, tokens?: number) {
  if (!isInlineLong) return fileContent ?? null;
  const { rows } = await hotDb().query<{ text: string | null }>({
    name: "inline-text",
    text: `SELECT CASE WHEN $2::int IS NULL THEN file_content ELSE left(file_content, $2::int) END AS text
           FROM turns WHERE id = $1`,
    values: [turnId, tokens === undefined ? null : charactersOf(tokens)],
  });
  return rows[0]?.text ?? null;
}

/** By what knowledge is chosen: of a long text its beginning and its end, where what it is about stands. */
export async function readInlineEnds({ turnId, fileContent, isInlineLong }: InlineTurn): Promise<string> {
  if (!isInlineLong) return fileContent ?? "";
  const { rows } = await hotDb().query<{ text: string | null }>({
    name: "inline-ends",
    text: "SELECT left(file_content, $2::int) || ' ' || right(file_content, $2::int) AS text FROM turns WHERE id = $1",
    values: [turnId, QUESTION_EDGE_CHARACTERS],
  });
  return rows[0]?.text ?? "";
}
