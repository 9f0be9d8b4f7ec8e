import { db } from "@/lib/db/pool";
import type { DocumentRange } from "@/lib/domain/document-ranges";

/** One piece of the reading of a long document: a part of its text (level 0), or the joining of results below. */
export interface PartRef {
  turnId: string;
  /** Of the worker that took the reading; a later one fences it. */
  generation: number;
  level: number;
  position: number;
}

/** Where a part lies; of a join, where the parts lie that it takes. */
export interface PartCoverage {
  ranges: DocumentRange[];
  /** What the text is, e.g. "pdf", for the block that it stands in. */
  kind: string;
  /** What the file's reader has to say of it, e.g. that pictures are not in it. */
  note?: string;
  /** The first line of a table, for parts that begin below it. */
  heading?: string;
  /** Its pages without text, which go along as pictures. */
  pictures?: PlannedPictures;
  /** When the provider's content filter held back what the model had to say of it. */
  heldBack?: HeldBack;
}

/** How much of the notes on a part the provider's content filter held back. */
export type HeldBack = "some" | "all";

/** Pages of a part that hold no text. */
export interface PlannedPictures {
  fileId: string;
  /** By number, in their order. */
  pages: number[];
  /** What became of them; absent until they were drawn. */
  drawn?: DrawnPages;
}

/** Pages by what became of them when they were drawn; on all others is nothing. */
export interface DrawnPages {
  shown: number[];
  /** Could not be drawn. */
  unreadable: number[];
  /** Of the pictures, estimated. */
  tokens: number;
}

/** A piece that was read. */
export interface PartResult {
  level: number;
  position: number;
  covers: PartCoverage;
  output: string;
  outputTokens: number;
}

/** What a turn's parts are, and what all calls for them have used so far. */
export interface ReadingTotals {
  /** That they were cut for. */
  model: string;
  /** Parts of the text. */
  parts: number;
  joins: number;
  tokensIn: number;
  tokensOut: number;
  /** Of the parts of the text, in order. */
  covers: PartCoverage[];
  /** Of parts and joins whose notes the provider's content filter held back, in order. */
  heldBack: PartCoverage[];
}

/** Whether a turn is being read in parts. */
export async function hasParts(turnId: string): Promise<boolean> {
  const { rows } = await db().query<{ found: boolean }>({
    name: "has-parts",
    text: "SELECT EXISTS (SELECT 1 FROM turn_parts WHERE turn_id = $1) AS found",
    values: [turnId],
  });
  return rows[0]?.found ?? false;
}

/** The results of a level by position; of the highest there is when none is named. */
export async function readResults(turnId: string, level?: number): Promise<PartResult[]> {
  const { rows } = await db().query<PartResult>({
    name: "part-results",
    text: `SELECT level, position, covers, output, output_tokens AS "outputTokens" FROM turn_parts
           WHERE turn_id = $1 AND output IS NOT NULL
             AND level = coalesce($2::int, (SELECT max(level) FROM turn_parts WHERE turn_id = $1))
           ORDER BY position`,
    values: [turnId, level ?? null],
  });
  return rows;
}

/** What the parts of a turn have used, and the ranges of its text. */
export async function readTotals(turnId: string): Promise<ReadingTotals> {
  const { rows } = await db().query<ReadingTotals>({
    name: "part-totals",
    text: `SELECT count(*) FILTER (WHERE level = 0)::int AS parts, count(*) FILTER (WHERE level > 0)::int AS joins,
                  coalesce(sum(tokens_in), 0)::int AS "tokensIn", coalesce(sum(tokens_out), 0)::int AS "tokensOut",
                  coalesce(json_agg(covers ORDER BY position) FILTER (WHERE level = 0), '[]') AS covers, min(model) AS model,
                  coalesce(json_agg(covers ORDER BY level, position) FILTER (WHERE covers ? 'heldBack'), '[]') AS "heldBack"
           FROM turn_parts WHERE turn_id = $1`,
    values: [turnId],
  });
  const totals = rows[0];
  if (!totals) throw new Error("A sum has one row.");
  return totals;
}
