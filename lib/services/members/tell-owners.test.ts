import { beforeEach, describe, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { addTestMember } from "@/e2e/support/test-people";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import type { Role } from "@/lib/domain/panel-actions";
import { PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import { hashSecretToken, newSecretToken } from "@/lib/domain/secret-token";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { setAlertChat } from "@/lib/services/alerts/set-alert-chat";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { limitApiKey } from "@/lib/services/api-keys/limit-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";
import { requestAccountExport } from "@/lib/services/data-rights/account-exports";
import { eraseAccount } from "@/lib/services/data-rights/erase-account";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { deliverMail } from "@/lib/services/mail/deliver-mail";
import { acceptAsNewPerson, acceptInvitation } from "@/lib/services/members/accept-invitation";
import { changeRole } from "@/lib/services/members/change-members";
import { inviteMember } from "@/lib/services/members/invitations";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { rotateCallbackSecret } from "@/lib/services/projects/rotate-callback-secret";
import { createWebhook } from "@/lib/services/webhooks/create-webhook";
import { rotateWebhookSecret } from "@/lib/services/webhooks/rotate-webhook-secret";
import { updateWebhook } from "@/lib/services/webhooks/update-webhook";

const MAX_MAILS = 10;

const smtp = useMailbox();
let account: TestAccount;
let owner: Person;
let admin: Person;
let member: Person;

type Person = Actor & { userId: string; email: string };

beforeEach(async () => {
  account = await createTestAccount();
  const actor = await ownerOf(account);
  const { email } = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } });
  owner = { ...actor, email };
  admin = await addPerson("admin");
  member = await addPerson("member");
});

const addPerson = (role: Role): Promise<Person> => addTestMember(account, role);

const receiver = (url: string) => ({ url, events: ["completion" as const], active: true });

const makeKey = (actor: Actor = admin, name = "Backend", expiresAt?: Date) =>
  createApiKey(actor, { ...account, name, permissions: ["chat"], ...(expiresAt && { expiresAt }) });

/** Somebody new takes an invitation whose link went by mail. */
async function joinAs(role: Role): Promise<string> {
  const email = `${newId("user")}@guest.example`.toLowerCase();
  await acceptAsNewPerson({ token: await invite(email, role), name: "", password: "seven green bottles" }, null);
  return email;
}

async function invite(email: string, role: Role): Promise<string> {
  const token = newSecretToken();
  const { accountId } = account;
  const expiresAt = new Date(Date.now() + 60_000);
  const invitation = { id: newId("invitation"), accountId, email, role, tokenHash: hashSecretToken(token), expiresAt };
  await prisma().invitation.create({ data: invitation });
  return token;
}

/** What went out, by address. */
async function sent(): Promise<Map<string, string>> {
  const { rows } = await db().query("DELETE FROM outbox_events WHERE name = 'mail/ready' RETURNING data");
  for (const { data } of rows) await deliverMail(data.mailId);
  const mails = smtp.mails.splice(0);
  const texts = new Map(mails.map(({ to, text }) => [String(to[0]), text]));
  expect(texts.size).toBe(mails.length);
  return texts;
}

const asOwner = () => ({ accountId: account.accountId, role: "owner" as const, actor: owner });

describe("a mail tells the owners, and whoever did it", () => {
  const acts: [string, () => Promise<unknown>, string, string][] = [
    ["that an API key was made", () => makeKey(), "made the API key “Backend”", "/panel/api-b2b/api-keys"],
    [
      "that an API key was rotated",
      () => rotateApiKey(admin, account, { keyId: account.principal.apiKeyId, overlapHours: 0 }),
      "rotated the API key “Test”",
      "/panel/api-b2b/api-keys",
    ],
    [
      "that a key that was bound may be used from anywhere",
      async () => {
        const keyId = account.principal.apiKeyId;
        await limitApiKey(OPERATOR, account, { keyId, allowedNetworks: ["203.0.113.7"] });
        await limitApiKey(admin, account, { keyId, allowedNetworks: [] });
      },
      "let the API key “Test” \\(….{4}\\) of Test Company be used from anywhere",
      "/panel/api-b2b/api-keys",
    ],
    [
      "that a webhook was made, by its host alone",
      () => createWebhook(account, receiver("https://a.example:8443/with-a-secret?in=it"), admin),
      "made a webhook for Test Company: events go to a\\.example:8443 now\\. ",
      "/panel/api-b2b/webhooks/whk_[^?]+",
    ],
    [
      "that a webhook has another address",
      async () => {
        const { id } = await createWebhook(account, receiver("https://a.example/"), OPERATOR);
        await updateWebhook(admin, account, id, { url: "https://b.example/with-a-secret" });
      },
      "gave a webhook of Test Company another address: its events go to b\\.example now\\. ",
      "/panel/api-b2b/webhooks/whk_[^?]+",
    ],
    [
      "that a webhook's secret was rotated",
      async () => {
        const { id } = await createWebhook(account, receiver("https://a.example/"), OPERATOR);
        await rotateWebhookSecret(admin, account, id);
      },
      "rotated the signing secret",
      "/panel/api-b2b/webhooks/whk_[^?]+",
    ],
    [
      "that the callback secret was rotated",
      () => rotateCallbackSecret(admin, account),
      "rotated the callback secret",
      "/panel/api-b2b/webhooks",
    ],
  ];

  it.each(acts)("%s", async (_what, act, words, path) => {
    await act();
    const mails = await sent();
    expect([...mails.keys()].sort()).toEqual([owner.email, admin.email].sort());
    for (const text of mails.values()) {
      expect(text).toMatch(new RegExp(`^${admin.email} ${words}`, "m"));
      expect(text).toMatch(/ on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\./);
      const { accountId, projectId } = account;
      expect(text).toMatch(new RegExp(`https://service.example${path}\\?of=${projectId}\\n`));
      expect(text).toContain(`https://service.example/panel/settings/audit-log?of=${accountId}\n`);
      expect(text).not.toMatch(/whsec_|bld_|with-a-secret/);
    }
  });

  it("that alerts go to a new chat", async () => {
    await setAlertChat(owner, account.accountId, "https://hooks.slack.com/services/T0/B0/with-a-secret");
    const text = [...(await sent()).values()].join();
    expect(text).toContain(
      `${owner.email} has the alerts of Test Company sent to a chat at hooks.slack.com from now on.`,
    );
    expect(text).toContain(`https://service.example/panel/settings/company?of=${account.accountId}\n`);
    expect(text).not.toContain("secret");
  });

  it("nothing of what lets a key do less, nor of a webhook whose address stays", async () => {
    const keyId = account.principal.apiKeyId;
    const { id } = await createWebhook(account, receiver("https://a.example/"), OPERATOR);
    for (const allowedNetworks of [["203.0.113.0/24", "198.51.100.7"], ["203.0.113.0/24"]]) {
      await limitApiKey(admin, account, { keyId, allowedNetworks });
    }
    await limitApiKey(admin, account, { keyId, creditsPerMonth: 10 });
    await updateWebhook(admin, account, id, { active: false, url: "https://a.example/" });
    expect((await sent()).size).toBe(0);
    await limitApiKey(admin, account, { keyId, allowedNetworks: ["198.51.100.7"] });
    expect([...(await sent()).values()].join()).toContain("be used from other addresses than before.");
  });

  it("but for owners who were shut out", async () => {
    const left = await addPerson("owner");
    await prisma().user.update({ where: { id: left.userId }, data: { disabledAt: new Date() } });
    await makeKey();
    expect([...(await sent()).keys()].sort()).toEqual([owner.email, admin.email].sort());
  });

  it("that somebody may do more than before, and of nobody who may do less", async () => {
    await changeRole(asOwner(), { userId: member.userId, role: "admin" });
    expect(await sent()).toEqual(new Map([[owner.email, expect.stringContaining(`made ${member.email} an admin`)]]));
    await changeRole(asOwner(), { userId: member.userId, role: "owner" });
    expect([...(await sent()).keys()].sort()).toEqual([owner.email, member.email].sort());
    await changeRole(asOwner(), { userId: member.userId, role: "admin" });
    await changeRole(asOwner(), { userId: member.userId, role: "member" });
    expect((await sent()).size).toBe(0);
  });

  it("that an owner or admin joined by an invitation, and of no other member", async () => {
    const guest = await joinAs("admin");
    const text = expect.stringContaining(`${guest} joined Test Company as an admin`);
    expect(await sent()).toEqual(new Map([guest, owner.email].map((email) => [email, text])));
    await joinAs("member");
    expect((await sent()).size).toBe(0);
  });

  it("of nobody who was in the team already when they took an invitation: they stay what they are", async () => {
    await acceptInvitation(member, await invite(member.email, "owner"));
    expect((await sent()).size).toBe(0);
    const of = { accountId: account.accountId, userId: member.userId };
    expect(await prisma().member.findFirst({ where: of })).toMatchObject({ role: "member" });
    const lines = await prisma().auditEntry.findMany({ where: { action: "team.join", subject: member.userId } });
    expect(lines).toMatchObject([{ before: { role: "member" }, after: { role: "member" } }]);
  });

  it("that an export of the account was asked for", async () => {
    await requestAccountExport(owner, account.accountId);
    expect(await sent()).toEqual(new Map([[owner.email, expect.stringContaining("everything that Test Company has")]]));
  });

  it("that the account is erased, as all of its people, also when they go with it before the mail does", async () => {
    const other = await addPerson("owner");
    const { accountId } = account;
    await requestAccountErasure(owner, { accountId, confirmation: "Test Company" });
    await eraseAccount(accountId);
    expect(await prisma().user.count({ where: { id: other.userId } })).toBe(0);
    const text = expect.stringContaining(`${owner.email} had Test Company erased`);
    const mails = await sent();
    const all = [owner, other, admin, member].map(({ email }) => [email, text] as const);
    expect(mails).toEqual(new Map(all));
  });

  it("that the account is erased, once, however often the button was pressed", async () => {
    const { accountId } = account;
    const press = () => requestAccountErasure(owner, { accountId, confirmation: "Test Company" });
    await Promise.all([press(), press()]);
    await press();
    expect((await sent()).size).toBe(3);
    expect(await prisma().outboxEvent.count({ where: { name: "account/erase" } })).toBe(1);
    const lines = await prisma().auditEntry.findMany({ where: { accountId, action: "account.request-erasure" } });
    expect(lines).toHaveLength(1);
  });
});

describe("of keys", () => {
  it("those of the playground are not told, nor what the operator makes", async () => {
    const soon = new Date(Date.now() + PLAYGROUND_KEY.seconds * 1_000);
    await makeKey(admin, PLAYGROUND_KEY.name, soon);
    await makeKey(OPERATOR);
    expect((await sent()).size).toBe(0);
    await makeKey(admin, PLAYGROUND_KEY.name);
    expect((await sent()).size).toBe(2);
  });

  it(`${MAX_MAILS} are told within the hour, the last with word that more may come; those of the playground take none of them`, async () => {
    const soon = new Date(Date.now() + PLAYGROUND_KEY.seconds * 1_000);
    for (let made = 0; made < MAX_MAILS; made++) await makeKey(admin, PLAYGROUND_KEY.name, soon);
    for (let made = 1; made <= MAX_MAILS; made++) {
      await makeKey(admin, `Key ${made}`);
      const text = (await sent()).get(owner.email);
      expect([made, text?.includes("audit log alone")]).toEqual([made, made === MAX_MAILS]);
    }
    await makeKey();
    expect((await sent()).size).toBe(0);
    await rotateCallbackSecret(admin, account);
    expect((await sent()).size).toBe(2);
  });

  it("a new one is told after any number that were rotated, which have mails of their own", async () => {
    let keyId = account.principal.apiKeyId;
    for (let rotated = 0; rotated <= MAX_MAILS; rotated++) {
      ({ keyId } = await rotateApiKey(admin, account, { keyId, overlapHours: 0 }));
    }
    await db().query("TRUNCATE mails, outbox_events");
    await makeKey();
    expect((await sent()).get(owner.email)).toContain("made the API key “Backend”");
  });

  it(`${MAX_MAILS} are told whatever their names are`, async () => {
    for (let made = 0; made <= MAX_MAILS; made++) await makeKey(admin, PLAYGROUND_KEY.name);
    const { rows } = await db().query("SELECT count(*) FROM mails");
    expect(Number(rows[0].count)).toBe(2 * MAX_MAILS);
  });

  it("the name is on one line and opens nothing, whatever it is", async () => {
    await makeKey(admin, "a\u2028b https://evil.example www.evil.example");
    expect((await sent()).get(owner.email)).toMatch(/“a b https\s+evil.example\s+evil.example”/);
  });
});

describe("of those that were told", () => {
  it("none is counted that came to nothing, nor by the lines of the audit log", async () => {
    const { accountId } = account;
    for (let tried = 0; tried <= MAX_MAILS; tried++) {
      await prisma().auditEntry.create({
        data: { id: newId("audit"), accountId, action: "account.export", subject: accountId, actorKind: "owner" },
      });
      const asked = prisma().$transaction(async (tx) => {
        await tellOwners(tx, owner, accountId, { action: "account.export" });
        throw new Error("refused");
      });
      await expect(asked).rejects.toThrow("refused");
    }
    await requestAccountExport(owner, accountId);
    expect((await sent()).get(owner.email)).not.toContain("audit log alone");
  });

  it.each(["- interval '61 minutes'", "+ interval '1 day'"])(
    "those are forgotten whose hour is over, or began at now() %s by a clock that was wrong",
    async (shift) => {
      for (let made = 0; made <= MAX_MAILS; made++) await makeKey();
      await db().query("TRUNCATE mails, outbox_events");
      await db().query(`UPDATE sign_in_attempts SET window_start = now() ${shift}`);
      await makeKey();
      expect((await sent()).get(owner.email)).toContain("made the API key");
    },
  );
});

describe("of the team, whatever nobody is told of takes no mail away from", () => {
  it("a role that is raised: others that are lowered", async () => {
    for (let lowered = 0; lowered <= MAX_MAILS; lowered++) {
      const { userId } = await addPerson("admin");
      await changeRole(asOwner(), { userId, role: "member" });
    }
    await changeRole(asOwner(), { userId: member.userId, role: "owner" });
    expect((await sent()).get(owner.email)).toContain(`made ${member.email} an owner`);
  });

  it("an owner who joins: members who do", async () => {
    for (let joined = 0; joined <= MAX_MAILS; joined++) await joinAs("member");
    const guest = await joinAs("owner");
    expect((await sent()).get(owner.email)).toContain(`${guest} joined Test Company as an owner`);
  });
});

it("an invitation says who invites, to what, and as what", async () => {
  const email = `${newId("user")}@guest.example`.toLowerCase();
  await inviteMember(asOwner(), { email, role: "admin" });
  const text = (await sent()).get(email);
  expect(text).toMatch(new RegExp(`^${owner.email} invites you to work with Test Company .*, as an admin\\.`));
});
