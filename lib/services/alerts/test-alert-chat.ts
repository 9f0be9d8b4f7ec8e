import { prisma, withinPrisma } from "@/lib/db/prisma";
import { AppError, notFound } from "@/lib/domain/errors";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { TEST_SECONDS } from "@/lib/services/alerts/alert-chat";
import { enqueueChatMessage } from "@/lib/services/alerts/enqueue-chat-message";
import { oneLine } from "@/lib/services/mail/compose-mail";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/**
 * Sends a message to the account's chat that says what it is. It has one try, whose end `findAlertChat` tells. While one is on
 * its way there is no second one.
 * @throws AppError NOT_FOUND when there is no chat, or the actor may not (any more); B2B_NOT_VERIFIED while the account is suspended,
 *   whose messages are given up
 */
export async function testAlertChat(actor: Actor, accountId: string): Promise<void> {
  await prisma().$transaction(async (tx) => {
    const { companyName, verificationStatus } = await lockAccount(tx, accountId);
    await assertStillMay(tx, actor, accountId, "alerts.set-chat");
    if (verificationStatus === "suspended") {
      throw new AppError("B2B_NOT_VERIFIED", "The account is suspended: nothing is sent to its chat until that ends.");
    }
    if ((await tx.alertChat.count({ where: { accountId } })) === 0) throw notFound("The chat");
    const test = { accountId, isTest: true };
    await tx.$executeRaw`
      DELETE FROM chat_messages WHERE account_id = ${accountId} AND is_test
        AND created_at <= now() - make_interval(secs => ${TEST_SECONDS})`;
    if ((await tx.chatMessage.count({ where: test })) > 0) return;
    await enqueueChatMessage(withinPrisma(tx), {
      ...test,
      text: `A test: alerts of ${oneLine(companyName)} come here.`,
    });
    await recordAudit(tx, actor, { accountId, action: "alert.test-chat", subject: accountId });
  });
  wakeRelay();
}
