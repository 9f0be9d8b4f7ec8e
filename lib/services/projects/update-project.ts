import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";
import type { ProjectRecord, UpdateProjectInput } from "@/lib/contracts/projects";
import type { Prisma, Project } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { lockProject } from "@/lib/services/projects/find-project";
import { settingsOf, toProject } from "@/lib/services/projects/project-row";

/**
 * Changes a project's settings; those that are absent stay. They hold from the next call on, in every process: keys and
 * turns read them from the database.
 * @throws AppError NOT_FOUND, also when it is another account's; VALIDATION_FAILED when another project has the name
 */
export async function updateProject(
  actor: Actor,
  scope: ProjectScope,
  changes: UpdateProjectInput,
): Promise<ProjectRecord> {
  return toProject(await changeProject(actor, scope, changes, (before, change) => change(before)));
}

/**
 * The same for a form: changes nothing when one of the fields is no longer what the form began with.
 * @throws AppError NOT_FOUND, also when it is another account's; VALIDATION_FAILED when another project has the name
 */
export async function saveProject(
  actor: Actor,
  scope: ProjectScope,
  { began, ...changes }: SaveInput<UpdateProjectInput>,
): Promise<SaveResult<UpdateProjectInput>> {
  return changeProject<SaveResult<UpdateProjectInput>>(actor, scope, changes, async (before, change) => {
    const isOther = namesOf(changes).some((name) => before[name] !== began[name] && before[name] !== changes[name]);
    if (isOther) return { outcome: "conflict", current: settingsOf(before) };
    return { outcome: "saved", saved: settingsOf(await change(before)) };
  });
}

/** @param decide what becomes of it, as it stands there now */
async function changeProject<Result>(
  actor: Actor,
  scope: ProjectScope,
  changes: UpdateProjectInput,
  decide: (before: Project, change: (before: Project) => Promise<Project>) => Promise<Result>,
): Promise<Result> {
  return prisma().$transaction(async (tx) => {
    // Before the project, and open to references: creations and renamings of one account go one after another.
    if (changes.name !== undefined) {
      await tx.$queryRaw`SELECT 1 FROM accounts WHERE id = ${scope.accountId} FOR NO KEY UPDATE`;
    }
    await assertStillMay(tx, actor, scope.accountId, "project.update");
    return decide(await lockProject(tx, scope), (before) => writeChanges(tx, actor, before, changes));
  });
}

async function writeChanges(
  tx: Prisma.TransactionClient,
  actor: Actor,
  before: Project,
  changes: UpdateProjectInput,
): Promise<Project> {
  const changed = namesOf(changes).filter((name) => changes[name] !== before[name]);
  if (changed.length === 0) return before;
  if (changed.includes("name")) await checkName(tx, before, changes.name);
  const data = Object.fromEntries(changed.map((name) => [name, changes[name]])) as Prisma.ProjectUpdateInput;
  const after = await tx.project.update({ where: { id: before.id }, data });
  await recordAudit(tx, actor, {
    accountId: before.accountId,
    action: "project.update",
    subject: before.id,
    before: auditFields(before, changed),
    after: auditFields(after, changed),
  });
  return after;
}

function namesOf(changes: UpdateProjectInput): (keyof UpdateProjectInput)[] {
  return (Object.keys(changes) as (keyof UpdateProjectInput)[]).filter((name) => changes[name] !== undefined);
}

async function checkName(tx: Prisma.TransactionClient, { id, accountId }: Project, name?: string): Promise<void> {
  const same = await tx.project.count({ where: { accountId, name, id: { not: id } } });
  if (same > 0) throw invalidField("name", "is the name of another project");
}

/** Of a long text its length alone: the log is for who changed what, not for keeping drafts. */
function auditFields(project: Project, names: (keyof UpdateProjectInput)[]): Prisma.InputJsonObject {
  return Object.fromEntries(
    names.map((name) =>
      name === "systemPrompt"
        ? ["systemPromptCharacters", project.systemPrompt?.length ?? 0]
        : [name, project[name] ?? null],
    ),
  );
}
