import type { Transaction } from "@/lib/db/pool";
import { splitSections } from "@/lib/domain/knowledge-budget";
import { estimateTokens } from "@/lib/domain/token-estimate";
import type { KnowledgeFileRow, KnowledgeScope } from "@/lib/services/knowledge/knowledge-file-row";

/** Keeps the sections of a file's current content, in the transaction of the file itself. */
export async function writeSections(
  tx: Transaction,
  { projectId }: KnowledgeScope,
  { id, path, content }: KnowledgeFileRow,
): Promise<void> {
  const sections = splitSections(content);
  // The file's name helps to find its sections: "products/prices.md" is about products and prices.
  const name = path.replace(/\.md$/, "").replace(/[/_.-]+/g, " ");
  await tx.query("DELETE FROM knowledge_sections WHERE file_id = $1", [id]);
  await tx.query(
    `INSERT INTO knowledge_sections (file_id, project_id, position, heading, content, token_count)
     SELECT $1, $2, s.position - 1, s.heading, s.content, s.token_count
     FROM unnest($3::text[], $4::text[], $5::int[]) WITH ORDINALITY AS s (heading, content, token_count, position)`,
    [
      id,
      projectId,
      sections.map(({ heading }) => (heading === "" ? name : `${name} > ${heading}`)),
      sections.map((section) => section.content),
      sections.map((section) => estimateTokens(section.content)),
    ],
  );
}
