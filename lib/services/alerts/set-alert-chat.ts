import type { AlertChat } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { readChatAddress } from "@/lib/domain/chat-address";
import { notFound } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { sealSecret } from "@/lib/services/people/sealed-secret";

/**
 * Has the account's alerts told of at this address, from now on; in place of the one before, where there is one: what waits to
 * be sent then goes to the new one. What it is connected to is checked at each message, as with webhooks.
 * @throws AppError NOT_FOUND when the actor may not (any more); URL_NOT_HTTPS, URL_NOT_ALLOWED
 */
export async function setAlertChat(actor: Actor, accountId: string, address: string): Promise<void> {
  const place = readChatAddress(address, env().OUTBOUND_ALLOWED_HOSTS);
  const values = { ...place, addressEncrypted: sealSecret(address) };
  await prisma().$transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await assertStillMay(tx, actor, accountId, "alerts.set-chat");
    const before = await tx.alertChat.findUnique({ where: { accountId } });
    await tx.alertChat.upsert({
      where: { accountId },
      create: { accountId, ...values },
      update: { ...values, sentAt: null, failedAt: null, failure: null },
    });
    await recordAudit(tx, actor, {
      accountId,
      action: "alert.set-chat",
      subject: accountId,
      ...(before && { before: shown(before) }),
      after: shown(place),
    });
    await tellOwners(tx, actor, accountId, { action: "alert.set-chat", host: place.host });
  });
  wakeRelay();
}

/**
 * Has nothing told of in a chat any more; what waits to be sent goes with the address.
 * @throws AppError NOT_FOUND when there is none, or the actor may not (any more)
 */
export async function removeAlertChat(actor: Actor, accountId: string): Promise<void> {
  await prisma().$transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await assertStillMay(tx, actor, accountId, "alerts.set-chat");
    const before = await tx.alertChat.findUnique({ where: { accountId } });
    if (!before) throw notFound("The chat");
    await tx.alertChat.delete({ where: { accountId } });
    const line = { accountId, action: "alert.remove-chat", subject: accountId, before: shown(before) };
    await recordAudit(tx, actor, line);
  });
}

/** What the panel shows of it, too. */
function shown({ app, host, hint }: Pick<AlertChat, "app" | "host" | "hint">) {
  return { app, host, hint };
}
