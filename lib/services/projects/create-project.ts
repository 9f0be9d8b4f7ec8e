import type { CreateProjectInput, ProjectRecord } from "@/lib/contracts/projects";
import { prisma, withinPrisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { insertProject } from "@/lib/services/projects/insert-project";
import { toProject } from "@/lib/services/projects/project-row";

const MAX_PROJECTS = 50;

/**
 * Adds a project to an account, with a callback secret of its own.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED when the account has 50 or one of that name
 */
export async function createProject(
  actor: Actor,
  { accountId }: { accountId: string },
  { name }: CreateProjectInput,
  idempotency?: IdempotencyClaim,
): Promise<ProjectRecord> {
  return prisma().$transaction(async (tx) => {
    // Creations of one account go one after another, so that none slips past the two rules.
    await lockAccount(tx, accountId);
    await assertStillMay(tx, actor, accountId, "project.create");
    const projects = await tx.project.findMany({ where: { accountId }, select: { name: true } });
    if (projects.length >= MAX_PROJECTS)
      throw invalidField("name", `is one project more than the ${MAX_PROJECTS} allowed`);
    if (projects.some((project) => project.name === name)) throw invalidField("name", "is the name of another project");
    const row = await insertProject(tx, accountId, name);
    await recordAudit(tx, actor, { accountId, action: "project.create", subject: row.id, after: { name } });
    const answer = toProject(row);
    if (idempotency) await keepResponse(withinPrisma(tx), idempotency, answer);
    return answer;
  });
}
