import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";
import type { UpdateWebhookBody, Webhook } from "@/lib/contracts/webhooks";
import { databaseNow } from "@/lib/db/database-now";
import type { Prisma, WebhookRegistration } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { lockOpenDeliveries } from "@/lib/services/deliveries/lock-deliveries";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { checkWebhookUrl } from "@/lib/services/webhooks/check-webhook-url";
import { findWebhook, lockWebhook } from "@/lib/services/webhooks/find-webhook";
import { resolveWebhookAlerts } from "@/lib/services/webhooks/resolve-webhook-alerts";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";
import { toWebhook } from "@/lib/services/webhooks/webhook-row";

/**
 * Changes address, events or switch of a registration; what is so already is left alone, without a line in the audit log. Attempts
 * to come of open deliveries go to the new address.
 * Saving a registration that failed does not switch it on again: that is `reactivateWebhook`, or off and on.
 * @throws AppError NOT_FOUND, URL_NOT_HTTPS, URL_NOT_ALLOWED
 */
export async function updateWebhook(
  actor: Actor,
  owner: WebhookOwner,
  id: string,
  changes: UpdateWebhookBody,
): Promise<Webhook> {
  return change(actor, owner, id, changes, () => {});
}

type Receiver = Pick<Webhook, "url" | "events">;

/**
 * The same for a form: changes nothing when address or events are no longer what the form began with, or are what it says.
 * @throws AppError NOT_FOUND, URL_NOT_HTTPS, URL_NOT_ALLOWED
 */
export async function saveWebhook(
  actor: Actor,
  owner: WebhookOwner,
  id: string,
  { began, ...changes }: SaveInput<{ url: string; events: string[] }> & Receiver,
): Promise<SaveResult<Receiver>> {
  try {
    const saved = await change(actor, owner, id, changes, (before) => {
      const isSaved = isSame(before, changes);
      if (isSaved || !isSame(before, began)) throw new NothingToChange(toWebhook(before), isSaved);
    });
    return { outcome: "saved", saved: receiverOf(saved) };
  } catch (error) {
    if (!(error instanceof NothingToChange)) throw error;
    const current = receiverOf(error.current);
    return error.isSaved ? { outcome: "saved", saved: current } : { outcome: "conflict", current };
  }
}

/** Takes back what the transaction has done so far. */
class NothingToChange extends Error {
  /** @param isSaved whether what stands there is what was to be saved; else somebody changed it meanwhile */
  constructor(
    readonly current: Webhook,
    readonly isSaved: boolean,
  ) {
    super("The webhook stays as it is.");
  }
}

function isSame(some: { url: string; events: string[] }, others: { url: string; events: string[] }): boolean {
  return some.url === others.url && [...some.events].sort().join() === [...others.events].sort().join();
}

function receiverOf({ url, events }: Webhook): Receiver {
  return { url, events };
}

/** @param check of what stands there now; throws where nothing shall be changed */
async function change(
  actor: Actor,
  owner: WebhookOwner,
  id: string,
  changes: UpdateWebhookBody,
  check: (before: WebhookRegistration) => void,
): Promise<Webhook> {
  const { url } = changes;
  if (url !== undefined) checkWebhookUrl(url);
  const webhook = await prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, owner.accountId, "webhooks.update");
    await findWebhook(owner, id, tx);
    if (url !== undefined) await redirectOpenDeliveries(tx, owner, id, url);
    const before = await lockWebhook(tx, owner, id);
    check(before);
    const status = statusAfter(before, changes.active);
    const after = { ...before, ...changes };
    if (isSame(before, after) && before.active === after.active && before.status === status) return toWebhook(before);
    const row = await tx.webhookRegistration.update({
      where: { id: before.id },
      data: { ...changes, status, updatedAt: await databaseNow(tx), ...(status !== "failed" && { failedAt: null }) },
    });
    if (before.status === "failed" && status !== "failed") await resolveWebhookAlerts(tx, owner, id);
    await recordAudit(tx, actor, {
      accountId: owner.accountId,
      action: "webhook.update",
      subject: id,
      before: { url: before.url, events: before.events, active: before.active },
      after: { url: row.url, events: row.events, active: row.active },
    });
    if (row.url !== before.url) {
      const { host } = new URL(row.url);
      await tellOwners(tx, actor, owner.accountId, {
        action: "webhook.update",
        projectId: owner.projectId,
        webhookId: id,
        host,
      });
    }
    return toWebhook(row);
  });
  wakeRelay();
  return webhook;
}

/** Before the registration is locked: whoever records an attempt takes the delivery first, then its registration. */
async function redirectOpenDeliveries(
  tx: Prisma.TransactionClient,
  { projectId }: WebhookOwner,
  id: string,
  url: string,
) {
  await lockOpenDeliveries(tx, { projectId, registrationId: id });
  await tx.webhookDelivery.updateMany({ where: { registrationId: id, projectId, status: "pending" }, data: { url } });
}

function statusAfter(before: WebhookRegistration, active: boolean | undefined): string {
  if (active === false) return "inactive";
  return active === true && before.status === "inactive" ? "active" : before.status;
}
