import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { AlertKind } from "@/lib/domain/alert-kinds";
import { MAX_CHAT_CHARACTERS } from "@/lib/domain/chat-message";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { chatAlerts } from "@/lib/services/alerts/chat-alerts";
import { mailAlerts } from "@/lib/services/alerts/mail-alerts";
import { redispatchChatMessages } from "@/lib/services/alerts/redispatch-chat-messages";
import { removeAlertChat, setAlertChat } from "@/lib/services/alerts/set-alert-chat";

const ADDRESS = "https://hooks.slack.com/services/T0/B0/secret1234";

useServiceDatabase();

let account: TestAccount;

beforeEach(async () => {
  await db().query("TRUNCATE alerts, chat_messages, outbox_events");
  account = await newAccount();
});

/** With a chat. */
async function newAccount(): Promise<TestAccount> {
  const made = await createTestAccount();
  await setAlertChat(OPERATOR, made.accountId, ADDRESS);
  return made;
}

async function alert(kind: AlertKind, message = "It is so.", { accountId } = account): Promise<string> {
  const id = newId("alert");
  await prisma().alert.create({ data: { id, accountId, kind, message } });
  return id;
}

const messages = async ({ accountId } = account) =>
  (await prisma().chatMessage.findMany({ where: { accountId }, orderBy: { createdAt: "asc" } })).map(
    ({ text }) => text,
  );

const events = async () =>
  (await prisma().outboxEvent.findMany({ where: { name: "chat-message/ready" } })).map(({ data }) => data);

describe("an alert", () => {
  it("is told of in the account's chat once, where nobody is mailed: this service sends no mails", async () => {
    await alert("credits.low", "5 credits of 100 are left.");
    expect(await chatAlerts()).toBe(1);
    expect(await messages()).toEqual(["Credits are running low: Test Company\n5 credits of 100 are left."]);
    const { id: messageId } = await prisma().chatMessage.findFirstOrThrow();
    expect(await events()).toEqual([{ messageId }]);
    expect(await chatAlerts()).toBe(0);
    expect([await mailAlerts(), await prisma().mail.count()]).toEqual([0, 0]);
  });

  it("goes along with the account's others in one message, each under its title, and in none of another account", async () => {
    const other = await newAccount();
    await alert("credits.low", "Ours.");
    await alert("credits.low", "Theirs.", other);
    await alert("key.ended", "Ours too.");
    expect(await chatAlerts()).toBe(3);
    expect(await messages()).toEqual([
      "2 things to look at: Test Company\nCredits are running low: Ours.\nAn API key has ended: its calls are refused: Ours too.",
    ]);
    expect(await messages(other)).toEqual(["Credits are running low: Test Company\nTheirs."]);
  });

  it("of many says how many more there are, where a chat would not take them all", async () => {
    for (let number = 0; number < 30; number++) await alert("key.ended", `Key ${number} ended. ${"x".repeat(200)}`);
    await chatAlerts();
    const [text = ""] = await messages();
    expect(text.length).toBeLessThanOrEqual(MAX_CHAT_CHARACTERS);
    const shown = text.match(/Key \d+ ended/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(3);
    expect(text.endsWith(`\nAnd ${30 - shown} more.`)).toBe(true);
  });

  it("of an account without a chat, or of before it had one, is not told of; nor later", async () => {
    const bare = await createTestAccount();
    await alert("credits.low", "Before.", bare);
    expect(await chatAlerts()).toBe(0);
    await db().query("UPDATE alerts SET created_at = now() - interval '1 minute'");
    await setAlertChat(OPERATOR, bare.accountId, ADDRESS);
    expect(await chatAlerts()).toBe(0);
  });

  it("of before another address took the place of the first is told of there", async () => {
    await alert("credits.low");
    await setAlertChat(OPERATOR, account.accountId, `${ADDRESS}5`);
    expect(await chatAlerts()).toBe(1);
  });

  it("of a suspended account is not told of", async () => {
    const where = { id: account.accountId };
    await prisma().account.update({ where, data: { verificationStatus: "suspended" } });
    await alert("credits.low");
    expect(await chatAlerts()).toBe(0);
  });

  it("that is over, older than a day, or of what staff decided is not told of", async () => {
    await prisma().alertChat.updateMany({ data: { createdAt: new Date(0) } });
    await prisma().alert.update({ where: { id: await alert("credits.low") }, data: { resolvedAt: new Date() } });
    await db().query("UPDATE alerts SET created_at = now() - interval '25 hours' WHERE id = $1", [
      await alert("webhook.failed"),
    ]);
    await alert("verification.approved");
    expect(await chatAlerts()).toBe(0);
  });

  it("is told of once, by whichever of several processes looks at it", async () => {
    await alert("credits.low");
    await Promise.all([chatAlerts(), chatAlerts(), chatAlerts()]);
    expect(await messages()).toHaveLength(1);
  });

  it("is told of to nobody when the chat is removed before its message is sent", async () => {
    await alert("credits.low");
    await chatAlerts();
    await removeAlertChat(OPERATOR, account.accountId);
    expect(await messages()).toEqual([]);
  });
});

describe("messages that the queue may have lost", () => {
  it("are handed to it again after ten minutes, and forgotten after a day", async () => {
    await alert("credits.low");
    await chatAlerts();
    await db().query("TRUNCATE outbox_events");
    expect(await redispatchChatMessages()).toBe(0);
    await db().query("UPDATE chat_messages SET created_at = now() - interval '11 minutes'");
    expect(await redispatchChatMessages()).toBe(1);
    expect(await events()).toHaveLength(1);
    await db().query("UPDATE chat_messages SET created_at = now() - interval '25 hours'");
    expect(await redispatchChatMessages()).toBe(0);
    expect(await messages()).toEqual([]);
  });
});
