import type { Prisma, Project } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";

/**
 * A project of the account.
 * @throws AppError NOT_FOUND, also when it is another account's
 */
export async function findProject(
  { accountId, projectId }: ProjectScope,
  on: Prisma.TransactionClient = prisma(),
): Promise<Project> {
  const row = await on.project.findFirst({ where: { id: projectId, accountId } });
  if (!row) throw notFound("The project");
  return row;
}

/**
 * The account's first project, for what belongs to all of the account.
 * @throws AppError NOT_FOUND
 */
export async function findFirstProject(
  accountId: string,
  on: Prisma.TransactionClient = prisma(),
): Promise<ProjectScope> {
  const row = await on.project.findFirst({
    where: { accountId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  if (!row) throw notFound("A project of the account");
  return { accountId, projectId: row.id };
}

/**
 * A project, locked until the caller's transaction ends, so that what the audit log says of "before" is true.
 * @throws AppError NOT_FOUND
 */
export async function lockProject(tx: Prisma.TransactionClient, scope: ProjectScope): Promise<Project> {
  await tx.$queryRaw`SELECT 1 FROM projects
    WHERE id = ${scope.projectId} AND account_id = ${scope.accountId} FOR NO KEY UPDATE`;
  return findProject(scope, tx);
}
