import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import { db } from "@/lib/db/pool";
import { knowledgeFileCost, takeWhatFits } from "@/lib/domain/knowledge-budget";
import type { DataBlock } from "@/lib/domain/prompt-blocks";
import { findSections, type RankedSection } from "@/lib/services/knowledge/find-sections";

/** What of the knowledge base goes into a prompt, and what the context receipt says of it. */
export interface LoadedKnowledge {
  blocks: DataBlock[];
  /** Absent when the project has no knowledge files. */
  receipt?: NonNullable<ContextReceipt["knowledge"]>;
}

interface FileRow {
  id: string;
  path: string;
  version: number;
  sha256: string;
  tokens: number;
  /** Null when the files together are over the budget. */
  content: string | null;
}

/** By what sections are ranked. */
export interface KnowledgeQuestion {
  /** What the call says. */
  text: string;
  /** What else tells what it is about: what came along, what was asked before. Read where there is something to choose alone. */
  readBeside?(): Promise<string>;
}

/** The share of the budget that short files take whole before long ones are searched: they say what is always so. */
const WHOLE_FILES_SHARE = 0.5;

/** One call in which files change that often, between two statements, gets what it has. */
const MAX_ATTEMPTS = 3;

/**
 * The project's knowledge for one call: all files whole when they fit the budget; else the shortest ones whole, and of the
 * others the sections that say most about what is asked. What the receipt names is what the blocks hold, also while files
 * are saved.
 * @param question by which sections are ranked
 */
export async function loadKnowledge(
  projectId: string,
  question: KnowledgeQuestion,
  budgetTokens: number,
): Promise<LoadedKnowledge> {
  for (let attempt = 1; ; attempt++) {
    const { readLater, ...loaded } = await loadOnce(projectId, question, budgetTokens);
    if (attempt === MAX_ATTEMPTS || (await areUnchanged(projectId, readLater))) return loaded;
  }
}

/** With the files whose texts were read by another statement than their versions. */
async function loadOnce(
  projectId: string,
  question: KnowledgeQuestion,
  budgetTokens: number,
): Promise<LoadedKnowledge & { readLater: Pick<FileRow, "id" | "version">[] }> {
  const files = (await listFiles(projectId, budgetTokens)).map((file) => ({
    ...file,
    cost: knowledgeFileCost(file.path, file.tokens),
  }));
  if (files.length === 0) return { blocks: [], readLater: [] };
  const total = files.reduce((sum, { cost }) => sum + cost, 0);
  const isAllWhole = total <= budgetTokens && files.every(({ content }) => content !== null);
  const whole = isAllWhole
    ? { taken: files, tokens: total }
    : takeWhatFits(
        [...files].sort((a, b) => a.cost - b.cost),
        budgetTokens * WHOLE_FILES_SHARE,
      );
  const wholeIds = new Set(whole.taken.map(({ id }) => id));
  const rest = files.filter(({ id }) => !wholeIds.has(id));
  const [contents, sections] = await Promise.all([
    isAllWhole ? new Map(files.map(({ id, content }) => [id, content ?? ""])) : loadContents(projectId, [...wholeIds]),
    chooseSections(projectId, rest, question, budgetTokens - whole.tokens),
  ]);

  const blocks: DataBlock[] = [];
  const receipts: NonNullable<ContextReceipt["knowledge"]>["files"] = [];
  for (const { id, path, version, sha256, cost } of files) {
    const content = contents.get(id);
    const chosen = sections.get(id) ?? [];
    const said = { path, version, sha256 };
    if (content !== undefined) {
      blocks.push({ tag: "knowledge", name: path, kind: "md", text: content });
      receipts.push({ ...said, included: "whole", tokens: cost });
    } else if (chosen.length > 0) {
      blocks.push({ tag: "knowledge", name: path, kind: "md", text: joinSections(chosen), note: SECTIONS_NOTE });
      const tokens = chosen.reduce((sum, section) => sum + section.cost, 0);
      receipts.push({ ...said, included: "sections", tokens, sections: chosen.map(({ heading }) => heading) });
    } else {
      receipts.push({ ...said, included: "none", tokens: 0 });
    }
  }
  const tokens = receipts.reduce((sum, receipt) => sum + receipt.tokens, 0);
  const readLater = isAllWhole ? [] : files.filter(({ id }) => contents.has(id) || sections.has(id));
  return { blocks, receipt: { budgetTokens, tokens, files: receipts }, readLater };
}

/** Versions only grow: what a file says between two looks at the same one is that version. */
async function areUnchanged(projectId: string, files: Pick<FileRow, "id" | "version">[]): Promise<boolean> {
  if (files.length === 0) return true;
  const { rows } = await db().query<{ same: number }>({
    name: "knowledge-unchanged",
    text: `SELECT count(*) AS same FROM knowledge_files k JOIN unnest($2::text[], $3::int[]) AS f (id, version) USING (id, version)
           WHERE k.project_id = $1`,
    values: [projectId, files.map(({ id }) => id), files.map(({ version }) => version)],
  });
  return rows[0]?.same === files.length;
}

const SECTIONS_NOTE = "only the sections that fit this call are here; the others are left out";

/** Contents come along only when all of them may fit: more is never read than a prompt takes. */
async function listFiles(projectId: string, budgetTokens: number): Promise<FileRow[]> {
  const { rows } = await db().query<FileRow>({
    name: "knowledge-files",
    text: `
      SELECT k.id, k.path, k.version, k.sha256, k.token_count AS tokens,
             CASE WHEN sum(k.token_count) OVER () <= $2::int THEN k.content END AS content
      FROM knowledge_files k JOIN projects p ON p.id = k.project_id AND p.api_enabled
      WHERE k.project_id = $1 ORDER BY k.path`,
    values: [projectId, Math.floor(budgetTokens)],
  });
  return rows;
}

async function loadContents(projectId: string, fileIds: string[]): Promise<Map<string, string>> {
  if (fileIds.length === 0) return new Map();
  const { rows } = await db().query<{ id: string; content: string }>({
    name: "knowledge-contents",
    text: "SELECT id, content FROM knowledge_files WHERE project_id = $1 AND id = ANY($2::text[])",
    values: [projectId, fileIds],
  });
  return new Map(rows.map(({ id, content }) => [id, content]));
}

interface ChosenSection extends RankedSection {
  cost: number;
}

/** The best sections that fit, by file, each file's in the order of the file. */
async function chooseSections(
  projectId: string,
  files: FileRow[],
  { text, readBeside }: KnowledgeQuestion,
  budgetTokens: number,
): Promise<Map<string, ChosenSection[]>> {
  const paths = new Map(files.map(({ id, path }) => [id, path]));
  if (files.length === 0) return new Map();
  const ranked = await findSections(projectId, [...paths.keys()], text, await readBeside?.());
  // The delimiters of its file are counted with each section: that is careful, and the order of taking does not matter.
  const candidates = ranked.map((section) => ({
    ...section,
    cost: knowledgeFileCost(paths.get(section.fileId) ?? "", section.tokens),
  }));
  const { taken } = takeWhatFits(candidates, budgetTokens);
  return Map.groupBy(
    taken.sort((a, b) => a.position - b.position),
    ({ fileId }) => fileId,
  );
}

function joinSections(sections: ChosenSection[]): string {
  return sections.map(({ content }) => content).join("\n\n[...]\n\n");
}
