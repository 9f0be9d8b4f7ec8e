import type { KnowledgeVersion } from "@/lib/contracts/knowledge";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { type Page, type PageRequest, readPage } from "@/lib/domain/pagination";
import type { KnowledgeScope } from "@/lib/services/knowledge/knowledge-file-row";

/**
 * What a knowledge file said over time, newest first.
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function listKnowledgeVersions(
  { projectId }: KnowledgeScope,
  fileId: string,
  page: PageRequest,
): Promise<Page<KnowledgeVersion>> {
  const where = { fileId, file: { projectId } };
  const read = async ({ limit, offset }: PageRequest) => {
    const rows = await prisma().knowledgeFileVersion.findMany({
      where,
      orderBy: { version: "desc" },
      take: limit,
      skip: offset,
    });
    return rows.map(({ version, content, sha256, createdById, createdAt }) => ({
      version,
      content,
      sha256,
      createdById,
      createdAt: createdAt.toISOString(),
    }));
  };
  const count = async () => {
    const total = await prisma().knowledgeFileVersion.count({ where });
    // A file has a version from its first moment on.
    if (total === 0) throw notFound("The knowledge file");
    return total;
  };
  return readPage(page, read, count);
}
