import type { ProjectRecord } from "@/lib/contracts/projects";
import type { ProjectScope } from "@/lib/domain/principal";
import { findProject } from "@/lib/services/projects/find-project";
import { toProject } from "@/lib/services/projects/project-row";

/**
 * A project with its settings.
 * @throws AppError NOT_FOUND, also when it is another account's
 */
export async function getProject(scope: ProjectScope): Promise<ProjectRecord> {
  return toProject(await findProject(scope));
}
