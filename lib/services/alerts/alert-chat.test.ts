import { beforeEach, describe, expect, it } from "vitest";
import { useDeliveryStage } from "@/e2e/support/delivery-stage";
import type { HttpsReceiver, ReceiverOptions } from "@/e2e/support/https-receiver";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { addTestMember } from "@/e2e/support/test-people";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { ChatApp } from "@/lib/domain/chat-address";
import { chatBody } from "@/lib/domain/chat-message";
import { newId } from "@/lib/domain/ids";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { findAlertChat } from "@/lib/services/alerts/alert-chat";
import { sendChatMessage } from "@/lib/services/alerts/send-chat-message";
import { removeAlertChat, setAlertChat } from "@/lib/services/alerts/set-alert-chat";
import { testAlertChat } from "@/lib/services/alerts/test-alert-chat";
import { linkAbout } from "@/lib/services/mail/compose-mail";

const SECRET = "T0/B0/secretsecret1234";

const stage = useDeliveryStage({ timeoutSeconds: 1 });

let account: TestAccount;
let actor: Actor;

beforeEach(async () => {
  account = await createTestAccount();
  actor = await ownerOf(account);
});

/** A chat of this test, which the account's alerts go to. */
async function newChat(behaviour?: ReceiverOptions["behaviour"]): Promise<HttpsReceiver> {
  const receiver = await stage.startReceiver(behaviour);
  await setAlertChat(actor, account.accountId, `${receiver.url}/hooks/${SECRET}`);
  return receiver;
}

async function newMessage(text = "Something: Test Company\nIt is so."): Promise<string> {
  const id = newId("chatMessage");
  await prisma().chatMessage.create({ data: { id, accountId: account.accountId, text } });
  return id;
}

const isWaiting = async (id: string) => (await prisma().chatMessage.count({ where: { id } })) === 1;
const chat = () => findAlertChat(account.accountId);
const auditLines = () =>
  prisma().auditEntry.findMany({
    where: { accountId: account.accountId, action: { startsWith: "alert." } },
    orderBy: { createdAt: "asc" },
  });

describe("the chat of an account", () => {
  it("is shown by its host and the end of its address, and kept sealed", async () => {
    await setAlertChat(actor, account.accountId, `https://hooks.slack.com/services/${SECRET}`);
    expect(await chat()).toEqual({
      name: "Slack",
      host: "hooks.slack.com",
      hint: "1234",
      isTested: false,
      sentAt: null,
      failedAt: null,
      failure: null,
    });
    const { rows } = await db().query("SELECT to_jsonb(c)::text AS row FROM alert_chats c");
    for (const { row } of rows) expect(row).not.toContain("secretsecret");
  });

  it("is in the audit log when it is set, replaced, tried out and removed, without the secret", async () => {
    await setAlertChat(actor, account.accountId, `https://hooks.slack.com/services/${SECRET}`);
    await setAlertChat(actor, account.accountId, `https://discord.com/api/webhooks/${SECRET}5`);
    await testAlertChat(actor, account.accountId);
    await removeAlertChat(actor, account.accountId);
    const slack = { app: "slack", host: "hooks.slack.com", hint: "1234" };
    const discord = { app: "discord", host: "discord.com", hint: "2345" };
    const lines = await auditLines();
    expect(lines.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["alert.set-chat", null, slack],
      ["alert.set-chat", slack, discord],
      ["alert.test-chat", null, null],
      ["alert.remove-chat", discord, null],
    ]);
    expect(JSON.stringify(lines)).not.toContain("secretsecret");
    expect(await chat()).toBeNull();
    await expect(removeAlertChat(actor, account.accountId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(testAlertChat(actor, account.accountId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is set, tried out and removed by nobody whose role was lowered since the page was drawn", async () => {
    await newChat();
    const { accountId } = account;
    const admin = await addTestMember(account, "admin");
    const refused = expect.objectContaining({ code: "NOT_FOUND" });
    await expect(setAlertChat(admin, accountId, "https://hooks.slack.com/services/x")).rejects.toEqual(refused);
    await expect(testAlertChat(admin, accountId)).rejects.toEqual(refused);
    await expect(removeAlertChat(admin, accountId)).rejects.toEqual(refused);
    expect((await auditLines()).length).toBe(1);
  });

  it("is set, replaced and removed as its owner saw it, and nothing that another owner set meanwhile", async () => {
    const { accountId } = account;
    const [one, other] = ["https://hooks.slack.com/services/one1", "https://hooks.slack.com/services/two2"];
    const seen = { host: "hooks.slack.com", hint: "one1" };
    const meanwhile = (words: string) => ({ code: "VALIDATION_FAILED", message: expect.stringContaining(words) });
    await expect(setAlertChat(actor, accountId, one, seen)).rejects.toMatchObject(meanwhile("removed"));
    await setAlertChat(actor, accountId, one, null);
    await expect(setAlertChat(actor, accountId, other, null)).rejects.toMatchObject(meanwhile("hooks.slack.com/…one1"));
    await setAlertChat(actor, accountId, other, seen);
    await expect(setAlertChat(actor, accountId, one, seen)).rejects.toMatchObject(meanwhile("hooks.slack.com/…two2"));
    await expect(removeAlertChat(actor, accountId, seen)).rejects.toMatchObject(meanwhile("hooks.slack.com/…two2"));
    expect(await chat()).toMatchObject({ hint: "two2" });
    await removeAlertChat(actor, accountId, { ...seen, hint: "two2" });
    expect(await chat()).toBeNull();
    expect((await auditLines()).length).toBe(3);
  });

  it("is set once where that is asked for again because its answer was lost", async () => {
    const address = `https://hooks.slack.com/services/${SECRET}`;
    for (let press = 0; press < 2; press++) await setAlertChat(actor, account.accountId, address, null);
    expect((await auditLines()).length).toBe(1);
  });

  it("is of no other host than those that are known", async () => {
    const setting = setAlertChat(actor, account.accountId, `https://example.com/services/${SECRET}`);
    await expect(setting).rejects.toMatchObject({ code: "URL_NOT_ALLOWED", param: "address" });
    expect(await chat()).toBeNull();
  });

  it("gets one test at a time, and another when that one was lost for a minute", async () => {
    await newChat();
    await testAlertChat(actor, account.accountId);
    await testAlertChat(actor, account.accountId);
    const [first, ...others] = await prisma().chatMessage.findMany({ where: { accountId: account.accountId } });
    expect(others).toEqual([]);
    expect(first).toMatchObject({ isTest: true, text: "A test: alerts of Test Company come here." });
    expect(await chat()).toMatchObject({ isTested: true });
    await db().query("UPDATE chat_messages SET created_at = now() - interval '61 seconds'");
    expect(await chat()).toMatchObject({ isTested: false });
    await testAlertChat(actor, account.accountId);
    expect(await prisma().chatMessage.findMany({ where: { accountId: account.accountId } })).not.toEqual([first]);
  });
});

describe("a message to a chat", () => {
  it.each<ChatApp>(["slack", "teams", "google-chat", "discord"])("arrives as %s takes it", async (app) => {
    const receiver = await newChat({ kind: "ok", status: 202 });
    await prisma().alertChat.update({ where: { accountId: account.accountId }, data: { app } });
    const id = await newMessage("One: A\nTwo <b>.");
    expect(await sendChatMessage(id)).toBe("sent");
    const [request, ...others] = receiver.requests;
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: "POST", path: `/hooks/${SECRET}` });
    expect(request?.headers["content-type"]).toBe("application/json; charset=utf-8");
    const link = { name: "Look at it", href: linkAbout("/panel/alerts", account.accountId) };
    expect(request?.body.toString()).toBe(chatBody(app, { text: "One: A\nTwo <b>.", link }));
    expect(await isWaiting(id)).toBe(false);
    expect(await chat()).toMatchObject({ sentAt: expect.any(String), failedAt: null, failure: null });
  });

  it("is sent once: a second run finds it gone", async () => {
    const receiver = await newChat();
    const id = await newMessage();
    await sendChatMessage(id);
    expect(await sendChatMessage(id)).toBe("gone");
    expect(receiver.requests).toHaveLength(1);
    receiver.behave({ kind: "fail", status: 404 });
    await sendChatMessage(await newMessage());
    expect(await chat(), "it says when the last one went").toMatchObject({ sentAt: expect.any(String) });
  });

  it.each([
    ["the chat is away", { kind: "fail", status: 503 }, /^503 from localhost:\d+$/],
    ["it is sent too much", { kind: "fail", status: 429 }, /^429 from localhost:\d+$/],
    [
      "nothing comes back in time",
      { kind: "hang" },
      /^nothing from localhost:\d+: The response was not complete in time$/,
    ],
  ] as const)("waits for another try when %s, and says so meanwhile", async (_when, behaviour, words) => {
    const receiver = await newChat(behaviour);
    const id = await newMessage();
    const trying = sendChatMessage(id);
    await expect(trying).rejects.toThrow("A chat did not take a message");
    // The queue's log takes that for no fault of ours.
    await expect(trying).rejects.toMatchObject({ name: "PutOffError" });
    await expect(trying).rejects.not.toThrow("secretsecret");
    expect(await isWaiting(id)).toBe(true);
    expect(await chat()).toMatchObject({ failedAt: expect.any(String), failure: expect.stringMatching(words) });
    receiver.behave({ kind: "ok" });
    expect(await sendChatMessage(id)).toBe("sent");
    expect(await chat()).toMatchObject({ failedAt: null, failure: null });
  });

  it.each([
    ["an address that is no more", { kind: "fail", status: 404 }, "404"],
    ["a redirect, which is not followed", { kind: "redirect", location: "https://localhost/" }, "302"],
  ] as const)("is given up at %s, and says so", async (_what, behaviour, status) => {
    const receiver = await newChat(behaviour);
    const id = await newMessage();
    expect(await sendChatMessage(id)).toBe("refused");
    expect(await isWaiting(id)).toBe(false);
    expect(receiver.requests).toHaveLength(1);
    expect(await chat()).toMatchObject({ failure: `${status} from ${new URL(receiver.url).host}` });
    await setAlertChat(actor, account.accountId, `${receiver.url}/hooks/another`);
    expect(await chat(), "of another address").toMatchObject({ failedAt: null, failure: null });
  });

  it("that tries the address out has one try", async () => {
    await newChat({ kind: "fail", status: 503 });
    await testAlertChat(actor, account.accountId);
    const { id } = await prisma().chatMessage.findFirstOrThrow({ where: { accountId: account.accountId } });
    expect(await sendChatMessage(id)).toBe("refused");
    expect(await chat()).toMatchObject({ isTested: false, failure: expect.stringMatching(/^503 from/) });
  });

  it("of an account that was suspended meanwhile is not sent", async () => {
    const receiver = await newChat();
    const id = await newMessage();
    const where = { id: account.accountId };
    await prisma().account.update({ where, data: { verificationStatus: "suspended" } });
    expect(await sendChatMessage(id)).toBe("gone");
    expect(receiver.requests).toEqual([]);
    expect(await isWaiting(id)).toBe(false);
    await expect(testAlertChat(actor, account.accountId), "nor tried out").rejects.toMatchObject({
      code: "B2B_NOT_VERIFIED",
    });
  });

  it("goes to the address that took the place of one which refuses it for good at that moment", async () => {
    const second = await newChat();
    const { accountId } = account;
    const { addressEncrypted } = await prisma().alertChat.findUniqueOrThrow({ where: { accountId } });
    await newChat({ kind: "fail", status: 404 });
    const id = await newMessage();
    const statement = `UPDATE alert_chats SET address_encrypted = '${addressEncrypted}' WHERE account_id = $1`;
    const [tried] = await whileHeld({ statement, id: accountId }, () => sendChatMessage(id));
    expect(tried?.status).toBe("rejected");
    expect(await chat()).toMatchObject({ failure: null });
    expect(await sendChatMessage(id)).toBe("sent");
    expect(second.requests).toHaveLength(1);
  });

  it("goes to the address that took the place of the first; the first one's failure is not the second one's", async () => {
    const first = await newChat({ kind: "hang" });
    const id = await newMessage();
    const trying = sendChatMessage(id).catch(() => "failed");
    await first.waitForRequests(1);
    const second = await newChat();
    expect(await trying).toBe("failed");
    expect(await chat()).toMatchObject({ failure: null });
    expect(await sendChatMessage(id)).toBe("sent");
    expect(second.requests).toHaveLength(1);
  });

  it("whose address no key opens any more is given up and says so, once the operator is told", async () => {
    const receiver = await newChat();
    const sealed = { addressEncrypted: "v1.AAAA" };
    await prisma().alertChat.update({ where: { accountId: account.accountId }, data: sealed });
    expect(await sendChatMessage(await newMessage())).toBe("refused");
    expect(receiver.requests).toEqual([]);
    expect(await chat()).toMatchObject({ failure: expect.stringContaining("set it again") });
  });
});
