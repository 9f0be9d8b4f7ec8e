import { Conditions } from "@/lib/db/conditions";
import { db } from "@/lib/db/pool";
import { type CsvCell, csvDocument } from "@/lib/domain/csv";
import type { ProjectScope } from "@/lib/domain/principal";
import type { DeliveryFilters } from "@/lib/services/deliveries/list-deliveries";

const BATCH_SIZE = 1_000;

const COLUMNS = [
  "createdAt",
  "id",
  "deliveryUuid",
  "event",
  "url",
  "webhookId",
  "sessionId",
  "endUserId",
  "isTest",
  "status",
  "attempts",
  "lastResponseStatus",
  "lastError",
  "deliveredAt",
] as const;

/** The project's deliveries that the filters let through as CSV in pieces, newest first; a batch at a time is held. */
export function exportDeliveriesCsv(scope: ProjectScope, filters: DeliveryFilters = {}): AsyncGenerator<string, void> {
  return csvDocument(COLUMNS, batches(scope, filters));
}

type DeliveryRow = Record<Exclude<(typeof COLUMNS)[number], "createdAt" | "deliveredAt">, CsvCell> & {
  id: string;
  createdAt: Date;
  deliveredAt: Date | null;
};

async function* batches(scope: ProjectScope, filters: DeliveryFilters): AsyncGenerator<CsvCell[][], void> {
  for (let last: DeliveryRow | undefined; ; ) {
    const rows = await readBatch(scope, filters, last);
    yield rows.map((row) => COLUMNS.map((name) => toCell(row[name])));
    last = rows.at(-1);
    if (rows.length < BATCH_SIZE) return;
  }
}

async function readBatch(
  { accountId, projectId }: ProjectScope,
  filters: DeliveryFilters,
  last: DeliveryRow | undefined,
): Promise<DeliveryRow[]> {
  const conditions = new Conditions()
    .add((place) => `d.project_id = ${place}`, projectId)
    .add((place) => `d.account_id = ${place}`, accountId)
    .addIf(filters.webhookId ?? undefined, (place) => `d.registration_id = ${place}`)
    .addIf(filters.sessionId, (place) => `d.session_id = ${place}`)
    .addIf(filters.status, (place) => `d.status = ${place}`)
    .addIf(filters.event, (place) => `d.event = ${place}`)
    .addIf(filters.endUserId, (place) => `d.end_user_id = ${place}`)
    .addIf(filters.from, (place) => `d.created_at >= ${place}::timestamptz`)
    .addIf(filters.to, (place) => `d.created_at < ${place}::timestamptz`);
  if (filters.webhookId === null) conditions.add(() => "d.registration_id IS NULL");
  if (last) conditions.add((at, id) => `(d.created_at, d.id) < (${at}::timestamptz, ${id})`, last.createdAt, last.id);
  const { rows } = await db().query<DeliveryRow>(
    `SELECT d.created_at AS "createdAt", d.id, d.delivery_uuid::text AS "deliveryUuid", d.event, d.url,
            d.registration_id AS "webhookId", d.session_id AS "sessionId", d.end_user_id AS "endUserId",
            d.is_test AS "isTest", d.status, d.attempt_count AS attempts, a.response_status AS "lastResponseStatus",
            a.error AS "lastError", d.delivered_at AS "deliveredAt"
     FROM webhook_deliveries d
     LEFT JOIN LATERAL (SELECT response_status, error FROM webhook_attempts WHERE delivery_id = d.id
                        ORDER BY round DESC, number DESC LIMIT 1) a ON true
     WHERE ${conditions} ORDER BY d.created_at DESC, d.id DESC LIMIT ${BATCH_SIZE}`,
    conditions.values,
  );
  return rows;
}

function toCell(value: CsvCell | Date): CsvCell {
  return value instanceof Date ? value.toISOString() : value;
}
