import type { TemplateUse } from "@/lib/contracts/template-use";
import { db } from "@/lib/db/pool";
import { type TemplateScope, type TemplateUseRow, toTemplateUse } from "@/lib/services/templates/template-row";

/** How often and when last each of these templates was used, in no order; those of other projects are left out. */
export async function listTemplateUse(scope: TemplateScope, templateIds: readonly string[]): Promise<TemplateUse[]> {
  const { rows } = await db().query<TemplateUseRow>(
    `SELECT id AS "templateId", usage_count AS "usageCount", last_used_at AS "lastUsedAt"
     FROM templates WHERE project_id = $1 AND id = ANY($2::text[])`,
    [scope.projectId, templateIds],
  );
  return rows.map(toTemplateUse);
}
