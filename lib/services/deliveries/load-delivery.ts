import type { DeliveryStatus } from "@/lib/contracts/deliveries";
import { hotDb } from "@/lib/db/pool";
import { processSingleton } from "@/lib/process-singleton";
import type { AttemptKey } from "@/lib/services/deliveries/claim-attempt";
import { openSecret } from "@/lib/services/people/sealed-secret";
import { openSecretBefore } from "@/lib/services/webhooks/webhook-secret";
import { together } from "@/lib/together";

/** A delivery with all that an attempt has to know. */
export interface DeliveryToSend {
  id: string;
  deliveryUuid: string;
  registrationId: string | null;
  url: string;
  event: string;
  body: string;
  isTest: boolean;
  sessionId: string | null;
  turnId: string | null;
  /** Of the call whose turn it tells of. */
  requestId: string | null;
  status: DeliveryStatus;
  round: number;
  /** Until the next attempt is due; 0 when it is, or when none is planned. */
  dueInSeconds: number;
  /** Null for callbacks; "gone" when the registration was deleted. */
  receiverStatus: "active" | "inactive" | "failed" | "gone" | null;
  /** Of the asked-for attempt: null before it begins; `endedAt` is not kept, `isEnded` is. */
  attempt: { isEnded: boolean; ageSeconds: number } | null;
  sealedSecrets: string[];
  /** The database's time of this look: receivers refuse what a machine whose clock is off would sign. */
  asOf: Date;
}

interface DeliveryRow extends Omit<DeliveryToSend, "attempt" | "sealedSecrets"> {
  /** Of the attempt that was asked for, from 1. */
  n: number;
  secret: string | null;
  previousSecret: string | null;
  attemptAgeSeconds: number | null;
  isAttemptEnded: boolean | null;
}

/** A registration's address is that of this moment: its change misses deliveries that were just being written down. */
const LOAD_DELIVERIES = `
  SELECT k.n, now() AS "asOf", d.id, d.delivery_uuid AS "deliveryUuid", d.registration_id AS "registrationId", coalesce(r.url, d.url) AS url,
         d.event, d.body,
         d.is_test AS "isTest", d.session_id AS "sessionId", d.turn_id AS "turnId", t.request_id AS "requestId",
         d.status, d.round,
         greatest(0, coalesce(extract(epoch FROM d.next_attempt_at - now()), 0))::float AS "dueInSeconds",
         CASE WHEN d.registration_id IS NULL THEN NULL WHEN r.id IS NULL THEN 'gone'
              WHEN r.status = 'active' AND NOT r.active THEN 'inactive' ELSE r.status END AS "receiverStatus",
         CASE WHEN d.registration_id IS NULL THEN p.callback_secret_encrypted ELSE r.secret_encrypted END AS secret,
         CASE WHEN d.registration_id IS NOT NULL AND r.previous_secret_until > now() THEN r.previous_secret_encrypted
              WHEN d.registration_id IS NULL AND p.previous_callback_secret_until > now()
              THEN p.previous_callback_secret_encrypted END AS "previousSecret",
         extract(epoch FROM now() - a.started_at)::float AS "attemptAgeSeconds",
         a.duration_ms IS NOT NULL AS "isAttemptEnded"
  FROM unnest($1::text[], $2::int[], $3::int[]) WITH ORDINALITY AS k (delivery_id, round, number, n)
  JOIN webhook_deliveries d ON d.id = k.delivery_id
  JOIN projects p ON p.id = d.project_id
  LEFT JOIN webhook_registrations r ON r.id = d.registration_id AND r.project_id = d.project_id
  LEFT JOIN turns t ON t.id = d.turn_id
  LEFT JOIN webhook_attempts a ON a.delivery_id = d.id AND a.round = k.round AND a.number = k.number`;

const MAX_TOGETHER = 50;

/** Loads a delivery and how far one of its attempts is; undefined when the delivery was erased. */
export function loadDelivery(key: AttemptKey): Promise<DeliveryToSend | undefined> {
  return processSingleton("load-deliveries-together", () => together({ work: loadDeliveries, max: MAX_TOGETHER }))(key);
}

async function loadDeliveries(keys: AttemptKey[]): Promise<(DeliveryToSend | undefined)[]> {
  const { rows } = await hotDb().query<DeliveryRow>({
    name: "load-deliveries",
    text: LOAD_DELIVERIES,
    values: [
      keys.map(({ deliveryId }) => deliveryId),
      keys.map(({ round }) => round),
      keys.map(({ number }) => number),
    ],
  });
  const found = new Map(rows.map((row) => [row.n, toDelivery(row)]));
  return keys.map((_, index) => found.get(index + 1));
}

function toDelivery(row: DeliveryRow): DeliveryToSend {
  const { n, secret, previousSecret, attemptAgeSeconds, isAttemptEnded, ...delivery } = row;
  const attempt =
    attemptAgeSeconds === null ? null : { isEnded: isAttemptEnded === true, ageSeconds: attemptAgeSeconds };
  return { ...delivery, attempt, sealedSecrets: [secret, previousSecret].filter((sealed) => sealed !== null) };
}

/**
 * The secrets that sign a delivery, the newest first: of the registration, or of the project's callbacks.
 * @throws OtherKeyError when another key sealed the newest; Error when ENCRYPTION_KEY is missing
 */
export function openSecrets({ id, sealedSecrets }: DeliveryToSend): [string, ...string[]] {
  const [newest, ...older] = sealedSecrets;
  if (newest === undefined) throw new Error(`Delivery ${id} has no secret to sign with.`);
  return [openSecret(newest), ...older.map(openSecretBefore).filter((secret) => secret !== null)];
}
