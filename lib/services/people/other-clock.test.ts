import { describe, expect, it } from "vitest";
import { onOtherClock as at } from "@/e2e/support/other-clock";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { newTestOwner, ownerActor, sessionOf } from "@/e2e/support/test-people";
import { prisma } from "@/lib/db/prisma";
import { closeAccount } from "@/lib/services/accounts/close-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey, createApiKeyForDays, createPlaygroundKey } from "@/lib/services/api-keys/create-api-key";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { changePassword, confirmPassword } from "@/lib/services/people/change-password";
import { listPersonSessions, revokeOtherSessions } from "@/lib/services/people/manage-person-sessions";
import { findPersonSession, openPersonSession } from "@/lib/services/people/person-session";
import { issueUserToken, takeUserToken } from "@/lib/services/people/user-token";
import { rotateCallbackSecret } from "@/lib/services/projects/rotate-callback-secret";
import { showCallbackSecret } from "@/lib/services/projects/show-callback-secret";
import { createWebhook } from "@/lib/services/webhooks/create-webhook";
import { rotateWebhookSecret } from "@/lib/services/webhooks/rotate-webhook-secret";
import { showWebhookSecret } from "@/lib/services/webhooks/show-webhook-secret";
import { testWebhook } from "@/lib/services/webhooks/test-webhook";

const HOUR_MS = 3_600_000;

useServiceDatabase();

describe.each([-2, 2])("a machine whose clock is %i hours off", (off) => {
  it("opens sessions of staff that are good on every machine, for as long as they should", async () => {
    const { userId } = await createStaff(OPERATOR, { email: `staff${off}@service.example` });
    const open = () =>
      prisma().$transaction((tx) => openPersonSession(tx, { userId, isStaff: true }, { ip: null, userAgent: null }));
    const { sessionId, token } = await at(off, open);
    expect((await findPersonSession(token))?.confirmedSecondsAgo).toBeLessThan(600);
    expect((await at(off, () => findPersonSession(token)))?.confirmedSecondsAgo).toBeLessThan(600);
    const { expiresAt } = await prisma().userSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(Math.abs(expiresAt.getTime() - Date.now() - 12 * HOUR_MS)).toBeLessThan(HOUR_MS / 2);
  });

  it("lists the sessions that open pages, and counts no others as ended by whoever signs out everywhere", async () => {
    const { userId } = await createStaff(OPERATOR, { email: `listed${off}@service.example` });
    const open = () =>
      prisma().$transaction((tx) => openPersonSession(tx, { userId, isStaff: true }, { ip: null, userAgent: null }));
    const [ended, idle, good] = [await open(), await open(), await open()].map(({ sessionId }) => sessionId);
    const hourAgo = new Date(Date.now() - HOUR_MS - 60_000);
    await prisma().userSession.update({ where: { id: ended }, data: { expiresAt: hourAgo } });
    await prisma().userSession.update({ where: { id: idle }, data: { lastSeenAt: hourAgo } });
    expect((await at(off, () => listPersonSessions(userId))).map(({ id }) => id)).toEqual([good]);
    expect(await at(off, () => revokeOtherSessions({ kind: "staff", userId }, userId, null))).toBe(1);
  });

  it("takes a password for as fresh as every other", async () => {
    const owner = await newTestOwner();
    const { self, token } = await sessionOf(owner);
    await at(off, () => confirmPassword(self, owner.password));
    const ago = (await findPersonSession(token))?.confirmedSecondsAgo;
    // The moment is kept to the millisecond, which may round it up.
    expect(ago).toBeGreaterThan(-0.001);
    expect(ago).toBeLessThan(600);
  });

  it("makes and takes one-time links with the others, of five minutes too", async () => {
    const { userId } = await newTestOwner();
    const issue = () => prisma().$transaction((tx) => issueUserToken(tx, userId, "second-step-google"));
    const take = (token: string) => prisma().$transaction((tx) => takeUserToken(tx, token, "second-step-google"));
    expect(await take(await at(off, issue))).toBe(userId);
    const token = await issue();
    expect(await at(off, () => take(token))).toBe(userId);
  });

  it("makes keys for the playground that work for their hour", async () => {
    const { accountId, projectId } = await createTestAccount();
    const made = await at(off, () => createPlaygroundKey(OPERATOR, { accountId, projectId }));
    expect(Math.abs(made.expiresAt.getTime() - Date.now() - HOUR_MS)).toBeLessThan(HOUR_MS / 2);
    expect((await authenticateKey(made.apiKey)).principal.accountId).toBe(accountId);
  });

  it("lets a signing secret that was rotated sign for its day, and shows it for as long", async () => {
    const account = await createTestAccount();
    const receiver = { url: "https://a.example/", events: ["completion" as const], active: true };
    const { id } = await createWebhook(account, receiver);
    const rotated = await at(off, () => rotateWebhookSecret(OPERATOR, account, id));
    const ofCallbacks = await at(off, () => rotateCallbackSecret(OPERATOR, account));
    for (const { previousValidUntil } of [rotated, ofCallbacks]) {
      expect(Math.abs(Date.parse(previousValidUntil) - Date.now() - 24 * HOUR_MS)).toBeLessThan(HOUR_MS / 2);
    }
    expect((await at(12 * off, () => showWebhookSecret(OPERATOR, account, id))).previous).not.toBeNull();
    expect((await at(12 * off, () => showCallbackSecret(OPERATOR, account))).previous).not.toBeNull();
  });

  it("sends test events of the time at which they are sent", async () => {
    const account = await createTestAccount();
    const { id } = await createWebhook(account, { url: "https://a.example/", events: ["completion"], active: true });
    const { deliveryId } = await at(off, () => testWebhook(account, id));
    const { body } = await prisma().webhookDelivery.findUniqueOrThrow({ where: { id: deliveryId } });
    expect(Math.abs(Date.parse(JSON.parse(body).timestamp) - Date.now())).toBeLessThan(HOUR_MS / 2);
  });

  it("knows that a password was changed a moment ago", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const again = { current: owner.password, password: "correct horse battery staple" };
    const press = () => changePassword(ownerActor(owner.userId), self, again);
    await press();
    await expect(at(off, press)).rejects.toMatchObject({
      message: expect.stringContaining("is your password already"),
    });
  });

  it("makes keys that take calls for as many days as they should, and so does what takes over from them", async () => {
    const { accountId, projectId } = await createTestAccount();
    const fields = { accountId, projectId, name: "Backend", permissions: ["chat" as const] };
    const made = await at(off, () => createApiKeyForDays(OPERATOR, fields, 1));
    const next = await rotateApiKey(OPERATOR, { accountId, projectId }, { keyId: made.keyId, overlapHours: 1 });
    for (const { expiresAt } of [made, next]) {
      expect(Math.abs(Number(expiresAt) - Date.now() - 24 * HOUR_MS)).toBeLessThan(HOUR_MS / 2);
    }
  });

  it("says when keys were revoked as every other would, by themselves and with their account", async () => {
    const accounts = [await createTestAccount(), await createTestAccount(), await createTestAccount()] as const;
    const [one, closed, erased] = accounts;
    const { keyId } = await createApiKey(OPERATOR, { ...one, name: "Backend", permissions: ["chat"] });
    await at(off, () => revokeApiKey(OPERATOR, { keyId }));
    await at(off, () => closeAccount(OPERATOR, { accountId: closed.accountId, emails: [], reason: "closed" }));
    const { accountId } = erased;
    await at(off, () => requestAccountErasure(OPERATOR, { accountId, confirmation: "Test Company" }));
    const keys = await prisma().apiKey.findMany({
      where: { accountId: { in: accounts.map((account) => account.accountId) }, revokedAt: { not: null } },
    });
    expect(new Set(keys.map((key) => key.accountId)).size).toBe(3);
    for (const { revokedAt } of keys) {
      expect(Math.abs(Number(revokedAt) - Date.now())).toBeLessThan(HOUR_MS / 2);
    }
  });
});
