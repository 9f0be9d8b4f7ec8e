import type { ProjectRecord } from "@/lib/contracts/projects";
import { prisma } from "@/lib/db/prisma";
import type { ProjectScope } from "@/lib/domain/principal";
import { toProject } from "@/lib/services/projects/project-row";

/** All projects of the account, the oldest first. An account has at most some dozen. */
export async function listProjects({ accountId }: Pick<ProjectScope, "accountId">): Promise<ProjectRecord[]> {
  const rows = await prisma().project.findMany({
    where: { accountId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(toProject);
}
