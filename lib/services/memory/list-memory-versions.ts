import type { MemoryVersion } from "@/lib/contracts/knowledge";
import { prisma } from "@/lib/db/prisma";
import { makePage, type Page, type PageRequest } from "@/lib/domain/pagination";
import type { MemoryScope } from "@/lib/services/memory/memory-profile-row";

/** What was known of an end user over time, newest first; empty when nothing was, or it was forgotten. */
export async function listMemoryVersions(
  { projectId }: MemoryScope,
  endUserId: string,
  page: PageRequest,
): Promise<Page<MemoryVersion>> {
  const where = { projectId, endUserId };
  const [rows, total] = await Promise.all([
    prisma().memoryVersion.findMany({ where, orderBy: { version: "desc" }, take: page.limit, skip: page.offset }),
    prisma().memoryVersion.count({ where }),
  ]);
  const versions = rows.map(({ version, content, sessionId, turnId, createdAt }) => ({
    version,
    content,
    sessionId,
    turnId,
    createdAt: createdAt.toISOString(),
  }));
  return makePage(versions, total, page);
}
