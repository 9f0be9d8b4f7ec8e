import type { EditBase, SaveResult } from "@/lib/contracts/edit-base";
import type { Template, UpdateTemplateBody } from "@/lib/contracts/template-records";
import { db, type Queryable } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { MAX_TEMPLATE_VERSIONS_BYTES } from "@/lib/domain/template-limits";
import { getTemplate } from "@/lib/services/templates/get-template";
import {
  TEMPLATE_COLUMNS,
  type TemplateRow,
  type TemplateScope,
  toTemplate,
} from "@/lib/services/templates/template-row";

/** What a version counts beside its text, so that short ones are bounded too. */
const BYTES_BESIDE = 1024;

/**
 * One statement: of two changes at once the second waits for the row and counts on from what the first left. The version
 * is kept under its number; when nothing of it changed, that one is there already. Its time is the change's own, so that
 * times grow with the versions whichever call began first. With a base, only what still is as it was then is changed.
 */
const UPDATE_TEMPLATE = `
  WITH t AS (
    UPDATE templates SET
      name = coalesce($3, name),
      prompt_template = coalesce($4, prompt_template),
      variables = coalesce($5::jsonb, variables),
      description = CASE WHEN $6::boolean THEN $7 ELSE description END,
      tags = coalesce($8::text[], tags),
      version = version + CASE WHEN coalesce($4, prompt_template) <> prompt_template
                                 OR coalesce($5::jsonb, variables) <> variables THEN 1 ELSE 0 END,
      updated_at = greatest(clock_timestamp(), updated_at)
    WHERE id = $1 AND project_id = $2
      AND ($10::int IS NULL OR (version = $10 AND updated_at = $11::timestamptz))
    RETURNING *
  ),
  next_version AS (
    INSERT INTO template_versions (template_id, version, prompt_template, variables, created_by_id, created_at)
    SELECT t.id, t.version, t.prompt_template, t.variables, $9, t.updated_at FROM t
    ON CONFLICT (template_id, version) DO NOTHING
  ),
  counted AS (
    SELECT version, sum(octet_length(prompt_template) + pg_column_size(variables) + ${BYTES_BESIDE})
                      OVER (ORDER BY version DESC) AS bytes
    FROM template_versions WHERE template_id = $1
  ),
  gone AS (
    DELETE FROM template_versions v USING t, counted c
    WHERE v.template_id = t.id AND v.version = c.version AND v.version < t.version
      AND v.version IS DISTINCT FROM t.live_version
      AND c.bytes > ${MAX_TEMPLATE_VERSIONS_BYTES}
  )
  SELECT ${TEMPLATE_COLUMNS} FROM t`;

/**
 * Changes the fields that are given; `description: null` removes it. A change of `promptTemplate` or `variables` makes a
 * new immutable version (contract §6), and the oldest go when all have too many bytes together, but for the one that calls use;
 * the slug stays.
 * @param changedById the person; null for the API
 * @param on the caller's transaction; absent: none
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function updateTemplate(
  scope: TemplateScope,
  templateId: string,
  changes: UpdateTemplateBody,
  changedById: string | null = null,
  on: Queryable = db(),
): Promise<Template> {
  const changed = await runUpdate(scope, templateId, changes, changedById, null, on);
  if (!changed) throw notFound("The template");
  return changed;
}

/**
 * The same for somebody who edits: changes nothing when the template is no longer what they began with.
 * @param base version and time of what they began with
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function saveTemplate(
  scope: TemplateScope,
  templateId: string,
  { base, changes }: { base: EditBase; changes: UpdateTemplateBody },
  changedById: string,
): Promise<SaveResult<Template>> {
  const saved = await runUpdate(scope, templateId, changes, changedById, base);
  return saved ? { outcome: "saved", saved } : { outcome: "conflict", current: await getTemplate(scope, templateId) };
}

async function runUpdate(
  scope: TemplateScope,
  templateId: string,
  changes: UpdateTemplateBody,
  changedById: string | null,
  base: EditBase | null,
  on: Queryable = db(),
): Promise<Template | null> {
  const { rows } = await on.query<TemplateRow>(UPDATE_TEMPLATE, [
    templateId,
    scope.projectId,
    changes.name ?? null,
    changes.promptTemplate ?? null,
    changes.variables === undefined ? null : JSON.stringify(changes.variables),
    changes.description !== undefined,
    changes.description ?? null,
    changes.tags ?? null,
    changedById,
    base?.version ?? null,
    base?.updatedAt ?? null,
  ]);
  return rows[0] ? toTemplate(rows[0]) : null;
}
