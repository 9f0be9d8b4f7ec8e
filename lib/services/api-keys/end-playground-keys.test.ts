import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import { disablePeople } from "@/lib/services/accounts/disable-people";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { listKeysByMaker } from "@/lib/services/api-keys/list-keys-by-maker";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";
import { changeRole, leaveTeam, removeMember } from "@/lib/services/members/change-members";
import {
  closePersonSession,
  revokeOtherSessions,
  revokePersonSession,
} from "@/lib/services/people/manage-person-sessions";
import { openPersonSession } from "@/lib/services/people/person-session";
import { openSession } from "@/lib/services/people/sign-in";

let account: TestAccount;
let owner: Actor;
let admin: Actor & { userId: string };

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  owner = await ownerOf(account);
  const userId = newId("user");
  await prisma().user.create({ data: { id: userId, email: `${userId}@acme.example`.toLowerCase() } });
  await prisma().member.create({ data: { accountId: account.accountId, userId, role: "admin" } });
  admin = { kind: "owner", userId };
});

/** As the playground's button does. */
async function makeKey(actor: Actor = admin, { accountId, projectId } = account) {
  const { name, seconds } = PLAYGROUND_KEY;
  const expiresAt = new Date(Date.now() + seconds * 1_000);
  return createApiKey(actor, { accountId, projectId, name, permissions: PERMISSIONS, expiresAt });
}

const takesCalls = ({ apiKey }: { apiKey: string }) =>
  authenticateKey(apiKey).then(
    () => true,
    () => false,
  );

const asOwner = () => ({ accountId: account.accountId, role: "owner" as const, actor: owner });

const signInAsAdmin = () =>
  prisma().$transaction((tx) =>
    openPersonSession(tx, { userId: admin.userId, isStaff: false }, { ip: null, userAgent: null }),
  );

type Browser = Awaited<ReturnType<typeof signInAsAdmin>>;

const inBrowser = ({ sessionId }: Browser): Actor => ({ ...admin, sessionId });

const personOf = ({ userId = "" }: Actor) => prisma().user.findUniqueOrThrow({ where: { id: userId } });

async function endOneSession() {
  await revokePersonSession(admin, admin.userId, (await signInAsAdmin()).sessionId);
}

describe("a key that somebody made for the playground", () => {
  const ends: [string, () => Promise<unknown>][] = [
    ["they are removed", () => removeMember(asOwner(), admin.userId)],
    ["they leave", () => leaveTeam(admin, account.accountId)],
    [
      "their role is lowered to one that makes no keys",
      () => changeRole(asOwner(), { userId: admin.userId, role: "member" }),
    ],
    ["they sign out everywhere else", () => revokeOtherSessions(admin, admin.userId, null)],
    ["they end one browser's session", endOneSession],
    [
      "somebody else signs in in their browser",
      async () => {
        const { token: previousToken } = await signInAsAdmin();
        await openSession(await personOf(owner), { ip: null, userAgent: null, previousToken }, "password");
      },
    ],
    ["they sign out", async () => closePersonSession((await signInAsAdmin()).token)],
    [
      "they are shut out",
      async () => {
        const { email } = await prisma().user.findUniqueOrThrow({ where: { id: admin.userId } });
        const order = { emails: [email], reason: "Found out", now: new Date() };
        return prisma().$transaction((tx) => disablePeople(tx, OPERATOR, order));
      },
    ],
  ];

  it.each(ends)(
    "ends when %s, with a line in the audit log; keys of the account's systems and of others go on",
    async (_what, end) => {
      const [mine, others] = [await makeKey(), await makeKey(owner)];
      const expiresAt = new Date(Date.now() + 86_400_000);
      const system = await createApiKey(admin, {
        ...account,
        name: PLAYGROUND_KEY.name,
        permissions: ["chat"],
        expiresAt,
      });
      await end();
      expect(await Promise.all([mine, others, system].map(takesCalls))).toEqual([false, true, true]);
      const lines = await prisma().auditEntry.findMany({ where: { subject: mine.keyId, action: "key.revoke" } });
      expect(lines).toMatchObject([{ accountId: account.accountId, actorKind: "system" }]);
    },
  );

  const otherBrowsers: [string, boolean, (browser: Browser) => Promise<unknown>][] = [
    ["sign out there", true, ({ token }) => closePersonSession(token)],
    ["end its session", true, ({ sessionId }) => revokePersonSession(admin, admin.userId, sessionId)],
    [
      "are followed there by somebody else",
      true,
      async ({ token }) =>
        openSession(await personOf(owner), { ip: null, userAgent: null, previousToken: token }, "password"),
    ],
    ["sign out everywhere else", false, ({ sessionId }) => revokeOtherSessions(admin, admin.userId, sessionId)],
  ];

  it.each(otherBrowsers)(
    "ends with the browser it was made in; when they %s, that of another browser of theirs goes on: %s",
    async (_what, goesOn, end) => {
      const [ended, kept] = [await signInAsAdmin(), await signInAsAdmin()];
      const [there, here] = [await makeKey(inBrowser(ended)), await makeKey(inBrowser(kept))];
      const next = await rotateApiKey(inBrowser(kept), account, { keyId: here.keyId, overlapHours: 24 });
      await end(ended);
      expect(await Promise.all([there, here, next].map(takesCalls))).toEqual([false, goesOn, goesOn]);
    },
  );

  it("goes on where its maker signs in once more, and ends with the session that they then have", async () => {
    const first = await signInAsAdmin();
    const mine = await makeKey(inBrowser(first));
    const browser = { ip: null, userAgent: null, previousToken: first.token };
    const again = await openSession(await personOf(admin), browser, "password");
    expect(await takesCalls(mine)).toBe(true);
    await closePersonSession("token" in again ? again.token : "");
    expect(await takesCalls(mine)).toBe(false);
  });

  it("ends also where it was rotated, as the one that took over", async () => {
    const mine = await makeKey();
    const next = await rotateApiKey(admin, account, { keyId: mine.keyId, overlapHours: 24 });
    expect(await Promise.all([mine, next].map(takesCalls))).toEqual([true, true]);
    await removeMember(asOwner(), admin.userId);
    expect(await Promise.all([mine, next].map(takesCalls))).toEqual([false, false]);
  });

  it("goes on where its maker is of another account, too, that they stay in", async () => {
    const other = await createTestAccount();
    await prisma().member.create({ data: { accountId: other.accountId, userId: admin.userId, role: "admin" } });
    const [mine, theirs] = [await makeKey(), await makeKey(admin, other)];
    await removeMember(asOwner(), admin.userId);
    expect(await Promise.all([mine, theirs].map(takesCalls))).toEqual([false, true]);
  });

  it("that has ended already stays as it ended, with its own line in the audit log", async () => {
    const [revoked, over] = [await makeKey(), await makeKey()];
    await revokeApiKey(admin, { keyId: revoked.keyId, scope: account });
    await prisma().apiKey.update({ where: { id: over.keyId }, data: { expiresAt: new Date() } });
    await removeMember(asOwner(), admin.userId);
    const ids = { in: [revoked.keyId, over.keyId] };
    const lines = await prisma().auditEntry.findMany({ where: { subject: ids, action: "key.revoke" } });
    expect(lines).toMatchObject([{ subject: revoked.keyId, actorKind: "owner", actorId: admin.userId }]);
    expect(await prisma().apiKey.findUniqueOrThrow({ where: { id: over.keyId } })).toMatchObject({ revokedAt: null });
  });

  it("is not among those that go on after its maker, as the others are that take calls", async () => {
    const [mine, others] = [await makeKey(), await makeKey(owner)];
    const make = (name: string) => createApiKey(admin, { ...account, name, permissions: ["chat"] });
    const [kept, revoked, named] = [await make("Kept"), await make("Revoked"), await make(PLAYGROUND_KEY.name)];
    await prisma().apiKey.update({ where: { id: revoked.keyId }, data: { revokedAt: new Date() } });
    await prisma().apiKey.update({ where: { id: (await make("Over")).keyId }, data: { expiresAt: new Date() } });
    const keys = await listKeysByMaker(account.accountId);
    expect(keys.get(admin.userId)?.map(({ id }) => id)).toEqual([kept.keyId, named.keyId]);
    expect([...keys.values()].flat().map(({ id }) => id)).not.toContain(mine.keyId);
    expect([...keys.values()].flat().map(({ id }) => id)).not.toContain(others.keyId);
    expect(await listKeysByMaker((await createTestAccount()).accountId)).toEqual(new Map());
  });

  it("stays with a role that makes keys", async () => {
    await changeRole(asOwner(), { userId: admin.userId, role: "owner" });
    const mine = await makeKey();
    await changeRole(asOwner(), { userId: admin.userId, role: "admin" });
    expect(await takesCalls(mine)).toBe(true);
  });
});
