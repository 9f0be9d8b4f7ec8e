import { beforeEach, describe, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { addTestMember, mailsSent } from "@/e2e/support/test-people";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { AlertKind } from "@/lib/domain/alert-kinds";
import type { AlertMailTopic } from "@/lib/domain/alert-mails";
import { newId } from "@/lib/domain/ids";
import type { Role } from "@/lib/domain/panel-actions";
import { alertMailsOf, chooseAlertMails } from "@/lib/services/alerts/choose-alert-mails";
import { dismissAlert } from "@/lib/services/alerts/dismiss-alert";
import { mailAlerts } from "@/lib/services/alerts/mail-alerts";
import { watchFailingSessions } from "@/lib/services/alerts/watch-failing-sessions";

const smtp = useMailbox();
let account: TestAccount;
let ownerEmail: string;

beforeEach(async () => {
  await db().query("TRUNCATE alerts");
  account = await createTestAccount();
  ownerEmail = await emailOfOwner(account);
});

async function emailOfOwner(of: TestAccount): Promise<string> {
  const { userId } = await ownerOf(of);
  return (await prisma().user.findUniqueOrThrow({ where: { id: userId } })).email;
}

const addPerson = async (role: Role, disabledAt: Date | null = null) =>
  (await addTestMember(account, role, disabledAt)).email;

async function alert(
  kind: AlertKind,
  message = "It is so.",
  { accountId }: Pick<TestAccount, "accountId"> = account,
): Promise<string> {
  const id = newId("alert");
  await prisma().alert.create({ data: { id, accountId, kind, message } });
  return id;
}

const receivers = async () => (await mailsSent(smtp)).map(({ to }) => to).sort();

/** What the person of that address chose. */
async function choose(email: string, topics: AlertMailTopic[]): Promise<void> {
  const { id: userId } = await prisma().user.findUniqueOrThrow({ where: { email } });
  const key = { accountId: account.accountId, userId };
  await chooseAlertMails(await ownerOf(account), key, { topics, began: await alertMailsOf(key) });
}

describe("an alert", () => {
  it("goes by mail to owners and admins whose sign-in is on, once", async () => {
    const admin = await addPerson("admin");
    await addPerson("member");
    await addPerson("owner", new Date());
    await alert("webhook.failed", "The webhook to a.example was switched off.");
    expect(await mailAlerts()).toBe(1);
    const mails = await mailsSent(smtp);
    expect(mails.map(({ to }) => to).sort()).toEqual([admin, ownerEmail].sort());
    for (const { text } of mails) {
      expect(text).toContain("The webhook to a.example was switched off.");
      expect(text).toContain("https://service.example/panel/alerts");
    }
    expect(await mailAlerts()).toBe(0);
    expect(await receivers()).toEqual([]);
  });

  it("leads to the page of its account, and to the choice of mails", async () => {
    await alert("credits.low");
    await mailAlerts();
    const [mail] = await mailsSent(smtp);
    expect(mail?.text).toContain(`https://service.example/panel/alerts?of=${account.accountId}\n`);
    expect(mail?.text).toContain(`https://service.example/panel/settings/account?of=${account.accountId}\n`);
  });

  it("is headed as in the panel, with the company's name", async () => {
    await alert("credits.low");
    await mailAlerts();
    await mailsSent(smtp).then(([mail]) => expect(mail?.subject).toMatch(/^Credits are running low: Test Company · /));
  });

  it("goes along with the account's others in one mail, each under its title", async () => {
    await alert("credits.low", "5 credits of 100 are left.");
    await alert("webhook.failed", "The webhook to a.example was switched off.");
    expect(await mailAlerts()).toBe(2);
    const [mail, ...others] = await mailsSent(smtp);
    expect(others).toEqual([]);
    expect(mail?.subject).toMatch(/^2 things to look at: Test Company · /);
    expect(mail?.text).toContain("Credits are running low: 5 credits of 100 are left.");
    expect(mail?.text).toContain("A webhook receiver failed: The webhook to a.example was switched off.");
  });

  it("goes to whoever chose to be mailed of such ones, whatever their role, and to nobody who chose not to be", async () => {
    const member = await addPerson("member");
    const admin = await addPerson("admin");
    await choose(member, ["keys"]);
    await choose(admin, ["webhooks"]);
    await alert("key.ended", "The key ended.");
    await alert("credits.out", "Calls are refused.");
    expect(await mailAlerts()).toBe(2);
    const mails = await mailsSent(smtp);
    expect(mails.map(({ to }) => to).sort()).toEqual([member, ownerEmail].sort());
    for (const { to, subject, text } of mails) {
      expect(text).toContain("The key ended.");
      if (to === member) expect(text).not.toContain("Calls are refused.");
      expect(subject).toMatch(to === member ? /^An API key has ended/ : /^2 things to look at/);
    }
  });

  it("of sessions that fail goes once to those who did not choose otherwise, with how many and by which error", async () => {
    const admin = await addPerson("admin");
    await choose(admin, ["webhooks", "usage", "keys"]);
    await db().query(
      `INSERT INTO sessions (id, account_id, project_id, kind, status, error_code, open_turns)
       SELECT id, $2, $3, 'process', 'failed', 'MODEL_UNAVAILABLE', 0 FROM unnest($1::text[]) id`,
      [Array.from({ length: 10 }, () => newId("session")), account.accountId, account.projectId],
    );
    expect([await watchFailingSessions(), await mailAlerts()]).toEqual([{ raised: 1, ended: 0 }, 1]);
    const [mail, ...others] = await mailsSent(smtp);
    expect(others).toEqual([]);
    expect(mail?.to).toBe(ownerEmail);
    expect(mail?.subject).toMatch(/^Most of the newest sessions failed: Test Company · /);
    expect(mail?.text).toMatch(/^The newest 10 sessions of the project “Default” failed .+ MODEL_UNAVAILABLE\. /);
    expect(mail?.text).toContain(`https://service.example/panel/alerts?of=${account.accountId}\n`);
    expect([await watchFailingSessions(), await mailAlerts()]).toEqual([{ raised: 0, ended: 0 }, 0]);
  });

  it("that nobody chose to be mailed of is told to nobody, also later", async () => {
    await choose(ownerEmail, []);
    await alert("webhook.failed");
    expect(await mailAlerts()).toBe(1);
    await choose(ownerEmail, ["webhooks"]);
    expect(await mailAlerts()).toBe(0);
    expect(await receivers()).toEqual([]);
  });

  it("of one account goes to nobody of another", async () => {
    const other = await createTestAccount();
    await alert("credits.low", "Theirs.", other);
    await alert("credits.low", "Ours.");
    await mailAlerts();
    const mails = await mailsSent(smtp);
    expect(mails).toHaveLength(2);
    for (const { to, text } of mails) {
      expect(text).toContain(to === ownerEmail ? "Ours." : "Theirs.");
      expect(text).not.toContain(to === ownerEmail ? "Theirs." : "Ours.");
    }
  });

  it("of several accounts is told in a transaction for each: many are no long one", async () => {
    const other = await createTestAccount();
    await alert("credits.low", "First.");
    await alert("webhook.failed", "Second.", other);
    await alert("tokens.low", "Third.");
    expect(await mailAlerts()).toBe(3);
    const marked = await db().query("SELECT DISTINCT account_id, xmin::text FROM alerts WHERE mailed_at IS NOT NULL");
    expect(new Set(marked.rows.map(({ xmin }) => xmin)).size).toBe(2);
    const mails = await mailsSent(smtp);
    expect(mails.find(({ to }) => to === ownerEmail)?.subject).toMatch(/^2 things to look at/);
    expect(mails).toHaveLength(2);
  });

  it("of an account that was erased since is told to nobody, and keeps none of another from being told", async () => {
    await alert("credits.low", "Theirs.", { accountId: newId("account") });
    await alert("credits.low", "Ours.");
    await mailAlerts();
    expect(await receivers()).toEqual([ownerEmail]);
  });

  it("that is over, put away, or older than a day is no news any more", async () => {
    await prisma().alert.update({ where: { id: await alert("credits.low") }, data: { resolvedAt: new Date() } });
    await dismissAlert(await ownerOf(account), account, await alert("tokens.low"));
    await db().query("UPDATE alerts SET created_at = now() - interval '25 hours' WHERE id = $1", [
      await alert("webhook.failed"),
    ]);
    expect(await mailAlerts()).toBe(0);
  });

  it("of what staff decided is mailed with the decision, not here", async () => {
    await alert("verification.approved");
    expect(await mailAlerts()).toBe(0);
  });

  it("of an account that cannot be told keeps that of no other back, and is told once it can", async () => {
    await alert("credits.low", "First.");
    const other = await createTestAccount();
    await alert("credits.low", "Second.", other);
    const barred = `(account_id <> '${account.accountId}' OR mailed_at IS NULL)`;
    await db().query(`ALTER TABLE alerts ADD CONSTRAINT barred CHECK ${barred}`);
    await expect(mailAlerts()).rejects.toThrow("barred");
    expect(await receivers()).toEqual([await emailOfOwner(other)]);
    await db().query("ALTER TABLE alerts DROP CONSTRAINT barred");
    expect(await mailAlerts()).toBe(1);
    expect(await receivers()).toEqual([ownerEmail]);
  });

  it("is told once, by whichever of two processes looks at it", async () => {
    await alert("credits.low");
    const told = await Promise.all([mailAlerts(), mailAlerts(), mailAlerts()]);
    expect(told.reduce((sum, count) => sum + count)).toBe(1);
    expect(await receivers()).toEqual([ownerEmail]);
  });
});
