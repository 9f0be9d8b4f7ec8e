import { randomUUID } from "node:crypto";
import { SAMPLE_EVENTS, type WebhookPayload } from "@/lib/contracts/webhook-events";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { sealText } from "@/lib/domain/sealed-text";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { env } from "@/lib/env";

/** Rows for tests of deliveries, on the database of the settings; secrets are sealed with ENCRYPTION_KEY. */

export const seal = (secret: string) => sealText(secret, env().ENCRYPTION_KEY ?? "");

/** An account with a project whose callbacks are signed with `callbackSecret`. */
export async function seedProject(callbackSecret = newWebhookSecret()) {
  const accountId = newId("account");
  await db().query("INSERT INTO accounts (id, company_name) VALUES ($1, 'Test')", [accountId]);
  return addProject(accountId, callbackSecret);
}

/** A further project of an account. */
export async function addProject(accountId: string, callbackSecret = newWebhookSecret()) {
  const projectId = newId("project");
  await db().query(
    "INSERT INTO projects (id, account_id, name, callback_secret_encrypted) VALUES ($1, $2, 'Test', $3)",
    [projectId, accountId, seal(callbackSecret)],
  );
  return { accountId, projectId };
}

export interface RegistrationSeed {
  accountId: string;
  projectId: string;
  url: string;
  secret: string;
  events?: string[];
  active?: boolean;
  status?: string;
}

/** A webhook registration; returns its id. */
export async function seedRegistration(seed: RegistrationSeed): Promise<string> {
  const id = newId("webhook");
  const { accountId, projectId, url, secret, events = ["completion"], active = true, status = "active" } = seed;
  await db().query(
    `INSERT INTO webhook_registrations (id, account_id, project_id, url, events, active, status, secret_encrypted)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, accountId, projectId, url, events, active, status, seal(secret)],
  );
  return id;
}

/** So many registrations more. */
export async function seedRegistrations(count: number, seed: Omit<RegistrationSeed, "secret">): Promise<void> {
  for (let made = 0; made < count; made += 1) await seedRegistration({ ...seed, secret: "whsec_seeded" });
}

export interface DeliverySeed {
  accountId: string;
  projectId: string;
  url: string;
  registrationId?: string | null;
  event?: WebhookPayload;
  isTest?: boolean;
  status?: string;
  /** When its next attempt was due, in seconds before now. */
  overdueSeconds?: number;
}

/** A delivery without attempts; returns its id, UUID and body. */
export async function seedDelivery(seed: DeliverySeed) {
  const { accountId, projectId, url, registrationId = null, event = SAMPLE_EVENTS.completion } = seed;
  const id = newId("delivery");
  const deliveryUuid = randomUUID();
  const body = JSON.stringify(event);
  await db().query(
    `INSERT INTO webhook_deliveries (id, delivery_uuid, account_id, project_id, registration_id, url, event, body,
                                     is_test, dedupe_key, status, next_attempt_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $1, $10, now() - make_interval(secs => $11))`,
    [
      id,
      deliveryUuid,
      accountId,
      projectId,
      registrationId,
      url,
      event.type,
      body,
      seed.isTest ?? false,
      seed.status ?? "pending",
      seed.overdueSeconds ?? 0,
    ],
  );
  return { id, deliveryUuid, body };
}
