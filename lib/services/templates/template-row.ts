import type { Template } from "@/lib/contracts/template-records";
import type { TemplateUse } from "@/lib/contracts/template-use";
import type { Principal } from "@/lib/domain/principal";

/** Whose templates: an API key's project, or the one that an owner works on in the panel. */
export type TemplateScope = Pick<Principal, "projectId">;

/** A template as the queries of this folder select it. */
export interface TemplateRow {
  id: string;
  name: string;
  slug: string;
  prompt_template: string;
  variables: Record<string, string>;
  description: string | null;
  tags: string[];
  version: number;
  live_version: number | null;
  usage_count: number;
  created_at: Date;
  updated_at: Date;
}

export const TEMPLATE_COLUMNS = `
  t.id, t.name, t.slug, t.prompt_template, t.variables, t.description, t.tags, t.version, t.live_version,
  t.usage_count, t.created_at, t.updated_at`;

/** The template record (§2.3, contract §6). */
export function toTemplate(row: TemplateRow): Template {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    promptTemplate: row.prompt_template,
    variables: row.variables,
    ...(row.description !== null && { description: row.description }),
    tags: row.tags,
    usageCount: row.usage_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    ...(row.live_version !== null && { liveVersion: row.live_version }),
  };
}

/** How a template is used, as selected. */
export type TemplateUseRow = Omit<TemplateUse, "lastUsedAt"> & { lastUsedAt: Date | null };

export function toTemplateUse(row: TemplateUseRow): TemplateUse {
  return { ...row, lastUsedAt: row.lastUsedAt?.toISOString() ?? null };
}
