import type { ShownChat } from "@/lib/contracts/alert-chat";
import type { AlertChat } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { readChatAddress } from "@/lib/domain/chat-address";
import { notFound } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { openSecretIfPossible, sealSecret } from "@/lib/services/people/sealed-secret";

/**
 * Has the account's alerts told of at this address, from now on; in place of the one before, where there is one: what waits to
 * be sent then goes to the new one. What it is connected to is checked at each message, as with webhooks. The same address once
 * more changes nothing, as after an answer that was lost.
 * @param began what whoever sets it saw there, null: nothing; absent (tests, operators): whatever is there is replaced
 * @throws AppError NOT_FOUND when the actor may not (any more); URL_NOT_HTTPS, URL_NOT_ALLOWED; VALIDATION_FAILED when
 *   somebody else set or removed one since
 */
export async function setAlertChat(
  actor: Actor,
  accountId: string,
  address: string,
  began?: ShownChat | null,
): Promise<void> {
  const place = readChatAddress(address, env().OUTBOUND_ALLOWED_HOSTS);
  const values = { ...place, addressEncrypted: sealSecret(address) };
  await prisma().$transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await assertStillMay(tx, actor, accountId, "alerts.set-chat");
    const before = await tx.alertChat.findUnique({ where: { accountId } });
    if (before && openSecretIfPossible(before.addressEncrypted) === address) return;
    assertAsBegun(before, began);
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
 * @param began as of `setAlertChat`
 * @throws AppError NOT_FOUND when there is none, or the actor may not (any more); VALIDATION_FAILED when somebody else set
 *   another since
 */
export async function removeAlertChat(actor: Actor, accountId: string, began?: ShownChat): Promise<void> {
  await prisma().$transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await assertStillMay(tx, actor, accountId, "alerts.set-chat");
    const before = await tx.alertChat.findUnique({ where: { accountId } });
    if (!before) throw notFound("The chat");
    assertAsBegun(before, began);
    await tx.alertChat.delete({ where: { accountId } });
    const line = { accountId, action: "alert.remove-chat", subject: accountId, before: shown(before) };
    await recordAudit(tx, actor, line);
  });
}

/** A chat that another owner set would be replaced or removed by a page that was drawn before. */
function assertAsBegun(now: AlertChat | null, began: ShownChat | null | undefined): void {
  if (began === undefined || (now?.host === began?.host && now?.hint === began?.hint)) return;
  throw changedMeanwhile(now ? `the chat was set to ${now.host}/…${now.hint}` : "the chat was removed", "page");
}

/** What the panel shows of it, too. */
function shown({ app, host, hint }: Pick<AlertChat, "app" | "host" | "hint">) {
  return { app, host, hint };
}
