import type { MemoryVersion } from "@/lib/contracts/knowledge";
import { prisma } from "@/lib/db/prisma";
import { type Page, type PageRequest, readPage } from "@/lib/domain/pagination";
import type { MemoryScope } from "@/lib/services/memory/memory-profile-row";

/** What was known of an end user over time, newest first; empty when nothing was, or it was forgotten. */
export async function listMemoryVersions(
  { projectId }: MemoryScope,
  endUserId: string,
  page: PageRequest,
): Promise<Page<MemoryVersion>> {
  const where = { projectId, endUserId };
  const read = async ({ limit, offset }: PageRequest) => {
    const rows = await prisma().memoryVersion.findMany({
      where,
      orderBy: { version: "desc" },
      take: limit,
      skip: offset,
    });
    return rows.map(({ version, content, sessionId, turnId, createdAt }) => ({
      version,
      content,
      sessionId,
      turnId,
      createdAt: createdAt.toISOString(),
    }));
  };
  return readPage(page, read, () => prisma().memoryVersion.count({ where }));
}
