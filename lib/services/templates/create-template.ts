import type { CreateTemplateBody, Template } from "@/lib/contracts/template-records";
import { db, inTransaction, type Queryable } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { MAX_TEMPLATES } from "@/lib/domain/template-limits";
import { slugOf } from "@/lib/domain/template-slug";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import {
  TEMPLATE_COLUMNS,
  type TemplateRow,
  type TemplateScope,
  toTemplate,
} from "@/lib/services/templates/template-row";

/** Each lost race means that another creation won one; so many in a row only a flood can bring. */
const MAX_ATTEMPTS = 500;
const RETRY_AFTER_SECONDS = 1;

/**
 * Takes the first free slug of `base`, `base-2`, `base-3` ... Creations at once may take the same one: the unique index
 * lets one of them through, and the others get no row. LIKE needs no escaping: a slug has no wildcard. A project that has
 * as many templates as it may gets no row either; creations at once may bring a few more.
 */
const INSERT_TEMPLATE = `
  WITH taken AS (
    SELECT slug FROM templates WHERE project_id = $2 AND (slug = $4 OR slug LIKE $4 || '-%')
  ),
  room AS (SELECT 1 FROM templates WHERE project_id = $2 HAVING count(*) < ${MAX_TEMPLATES}),
  free AS (
    SELECT candidates.slug FROM (
      SELECT n, CASE n WHEN 1 THEN $4::text ELSE $4 || '-' || n END AS slug
      FROM generate_series(1, (SELECT count(*) FROM taken) + 1) AS n
    ) candidates
    WHERE candidates.slug NOT IN (SELECT slug FROM taken) ORDER BY n LIMIT 1
  ),
  t AS (
    INSERT INTO templates (id, project_id, name, slug, prompt_template, variables, description, tags)
    SELECT $1, $2, $3, free.slug, $5, $6::jsonb, $7, $8::text[] FROM free, room
    ON CONFLICT (project_id, slug) DO NOTHING
    RETURNING *
  ),
  first_version AS (
    INSERT INTO template_versions (template_id, version, prompt_template, variables, created_by_id, created_at)
    SELECT t.id, t.version, t.prompt_template, t.variables, $9, t.created_at FROM t
  )
  SELECT ${TEMPLATE_COLUMNS} FROM t`;

/**
 * Makes a template with its first version (§4.5).
 * @param createdById the person; null for the API
 * @param idempotency of a call with a key: its answer is kept in the same transaction
 * @throws AppError VALIDATION_FAILED when the project has as many as it may have
 */
export async function createTemplate(
  scope: TemplateScope,
  input: CreateTemplateBody,
  createdById: string | null = null,
  idempotency?: IdempotencyClaim,
): Promise<Template> {
  const values = [
    newId("template"),
    scope.projectId,
    input.name,
    slugOf(input.name),
    input.promptTemplate,
    JSON.stringify(input.variables ?? {}),
    input.description ?? null,
    input.tags ?? [],
    createdById,
  ];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const template = idempotency
      ? await inTransaction(async (tx) => {
          const made = await insertTemplate(tx, values);
          if (made) await keepResponse(tx, idempotency, made);
          return made;
        })
      : await insertTemplate(db(), values);
    if (template) return template;
    await checkRoom(scope);
  }
  throw new AppError("SERVICE_UNAVAILABLE", "Too many templates of this name are being made. Try again.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

async function checkRoom({ projectId }: TemplateScope): Promise<void> {
  const { rows } = await db().query<{ total: number }>(
    "SELECT count(*) AS total FROM templates WHERE project_id = $1",
    [projectId],
  );
  if ((rows[0]?.total ?? 0) < MAX_TEMPLATES) return;
  throw new AppError(
    "VALIDATION_FAILED",
    `A project has at most ${MAX_TEMPLATES} templates. Delete one that is no longer needed, or change one.`,
  );
}

/** Null when another creation took the slug, or there is no room for one more. */
async function insertTemplate(on: Pick<Queryable, "query">, values: unknown[]): Promise<Template | null> {
  const { rows } = await on.query<TemplateRow>(INSERT_TEMPLATE, values);
  return rows[0] ? toTemplate(rows[0]) : null;
}
