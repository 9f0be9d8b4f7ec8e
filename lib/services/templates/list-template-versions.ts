import type { TemplateVersion } from "@/lib/contracts/template-records";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { type Page, type PageRequest, readPage } from "@/lib/domain/pagination";
import type { TemplateScope } from "@/lib/services/templates/template-row";

interface VersionRow {
  version: number;
  prompt_template: string;
  variables: Record<string, string>;
  created_at: Date;
}

const VERSIONS = `
  FROM template_versions v JOIN templates t ON t.id = v.template_id WHERE t.id = $1 AND t.project_id = $2`;

/**
 * What a template said over time, newest first (contract §6).
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function listTemplateVersions(
  scope: TemplateScope,
  templateId: string,
  request: PageRequest,
): Promise<Page<TemplateVersion>> {
  const filter = [templateId, scope.projectId];
  const read = async ({ limit, offset }: PageRequest) => {
    const { rows } = await db().query<VersionRow>(
      `SELECT v.version, v.prompt_template, v.variables, v.created_at ${VERSIONS}
       ORDER BY v.version DESC LIMIT $3 OFFSET $4`,
      [...filter, limit, offset],
    );
    return rows.map(toTemplateVersion);
  };
  const count = async () => {
    const { rows } = await db().query<{ total: number }>(`SELECT count(*) AS total ${VERSIONS}`, filter);
    const total = rows[0]?.total ?? 0;
    // A template has a version from its first moment on.
    if (total === 0) throw notFound("The template");
    return total;
  };
  return readPage(request, read, count);
}

function toTemplateVersion(row: VersionRow): TemplateVersion {
  return {
    version: row.version,
    promptTemplate: row.prompt_template,
    variables: row.variables,
    createdAt: row.created_at.toISOString(),
  };
}
