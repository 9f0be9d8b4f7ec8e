import type { Template } from "@/lib/contracts/template-records";
import { escapeLike } from "@/lib/db/escape-like";
import { db } from "@/lib/db/pool";
import { type Page, type PageRequest, readPage } from "@/lib/domain/pagination";
import {
  TEMPLATE_COLUMNS,
  type TemplateRow,
  type TemplateScope,
  toTemplate,
} from "@/lib/services/templates/template-row";

/** Filters combine with AND. */
export interface TemplateListRequest extends PageRequest {
  /** Exactly this tag. */
  tag?: string;
  /** Text in name, description or slug; case does not matter. */
  q?: string;
}

const FILTER = `
  t.project_id = $1 AND ($2::text IS NULL OR $2 = ANY(t.tags))
  AND ($3::text IS NULL OR t.name ILIKE $3 OR t.description ILIKE $3 OR t.slug ILIKE $3)`;

/** Templates of the project, newest first (§4.5). */
export async function listTemplates(scope: TemplateScope, request: TemplateListRequest): Promise<Page<Template>> {
  const { tag = null, q } = request;
  const filter = [scope.projectId, tag, q === undefined ? null : `%${escapeLike(q)}%`];
  const read = async ({ limit, offset }: PageRequest) => {
    const { rows } = await db().query<TemplateRow>(
      `SELECT ${TEMPLATE_COLUMNS} FROM templates t WHERE ${FILTER}
       ORDER BY t.created_at DESC, t.id DESC LIMIT $4 OFFSET $5`,
      [...filter, limit, offset],
    );
    return rows.map(toTemplate);
  };
  const count = async () => {
    const { rows } = await db().query<{ total: number }>(
      `SELECT count(*) AS total FROM templates t WHERE ${FILTER}`,
      filter,
    );
    return rows[0]?.total ?? 0;
  };
  return readPage(request, read, count);
}
