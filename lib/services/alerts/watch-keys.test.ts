import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { dismissAlert } from "@/lib/services/alerts/dismiss-alert";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { watchKeys } from "@/lib/services/alerts/watch-keys";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";

useServiceDatabase();

const DAY_MS = 86_400_000;
const PAGE = { limit: 20, offset: 0 };
const NOTHING = { raised: 0, ended: 0 };

let account: TestAccount;

beforeEach(async () => {
  await db().query("TRUNCATE alerts");
  await db().query("DELETE FROM api_keys");
  account = await createTestAccount();
});

/** A key that was made for so many days, and has so many left. */
async function keyWith(daysLeft: number, madeForDays = 365, name = "Backend"): Promise<string> {
  const { keyId } = await createApiKey(OPERATOR, {
    accountId: account.accountId,
    name,
    permissions: ["chat"],
    expiresAt: new Date(Date.now() + 400 * DAY_MS),
  });
  await db().query(
    `UPDATE api_keys SET expires_at = now() + make_interval(secs => $2 * 86400.0),
       created_at = now() + make_interval(secs => ($2 - $3) * 86400.0) WHERE id = $1`,
    [keyId, daysLeft, madeForDays],
  );
  return keyId;
}

const endedSince = (keyId: string, ago: string) =>
  db().query("UPDATE api_keys SET expires_at = now() - $2::interval WHERE id = $1", [keyId, ago]);

/** When the key was last used, before its end. */
const usedBeforeEnd = (keyId: string, before: string) =>
  db().query("UPDATE api_keys SET last_used_at = expires_at - $2::interval WHERE id = $1", [keyId, before]);

const alerts = async (state: "open" | "past" = "open") => (await listAlerts(account, PAGE, state)).data;

describe("a key that is about to end", () => {
  it("is told of a week before, once, by its name, its end and its project", async () => {
    const keyId = await keyWith(7.01);
    expect(await watchKeys()).toEqual(NOTHING);
    await db().query("UPDATE api_keys SET expires_at = now() + interval '167 hours' WHERE id = $1", [keyId]);
    expect(await watchKeys()).toEqual({ raised: 1, ended: 0 });
    expect(await alerts()).toMatchObject([
      {
        kind: "key.expiring",
        title: "An API key is about to end",
        projectId: account.projectId,
        subjectId: keyId,
        message: expect.stringMatching(
          /^The key “Backend” \(….{4}\) of the project “Default” ends on \d{4}-\d\d-\d\d at \d\d:\d\d UTC/,
        ),
      },
    ]);
    expect(await watchKeys()).toEqual(NOTHING);
    await keyWith(3);
    expect(await watchKeys(), "another one").toEqual({ raised: 1, ended: 0 });
  });

  it("is not told of where it was made for two weeks or less: whoever made it knows", async () => {
    await keyWith(1, 14);
    expect(await watchKeys()).toEqual(NOTHING);
  });

  it("ends the alert when it is rotated, and when it is revoked", async () => {
    const [rotated, revoked] = [await keyWith(3), await keyWith(3)];
    await watchKeys();
    const owner = await ownerOf(account);
    await rotateApiKey(owner, account, { keyId: rotated, overlapHours: 24 });
    expect(await watchKeys()).toEqual({ raised: 0, ended: 1 });
    await revokeApiKey(owner, { keyId: revoked, scope: account });
    expect(await watchKeys()).toEqual({ raised: 0, ended: 1 });
    expect((await alerts("past")).map(({ subjectId }) => subjectId).sort()).toEqual([rotated, revoked].sort());
  });

  it("is about to end until it ends; one that had ended before is past", async () => {
    const keyId = await keyWith(3);
    await watchKeys();
    await endedSince(keyId, "1 second");
    expect(await watchKeys()).toEqual({ raised: 0, ended: 1 });
    await keyWith(-1);
    expect(await watchKeys()).toEqual(NOTHING);
  });

  it("is not told of again once the alert was put away", async () => {
    await keyWith(3);
    await watchKeys();
    for (const { id } of await alerts()) await dismissAlert(await ownerOf(account), account, id);
    expect(await watchKeys()).toEqual(NOTHING);
  });

  it("is nothing to tell a suspended account of: none of its keys takes calls", async () => {
    await keyWith(3);
    await suspendAccount(OPERATOR, { accountId: account.accountId, reason: "Abuse" });
    expect(await watchKeys()).toEqual(NOTHING);
  });

  it("is named without a link of somebody's choice: the message goes by mail", async () => {
    await keyWith(3, 365, "see https://evil.test now");
    await watchKeys();
    expect((await alerts())[0]?.message).toContain("“see https evil.test now”");
  });
});

describe("a key that has ended", () => {
  /** One that clients used until its end. */
  async function endedKey(ago = "1 minute", usedBefore = "1 hour", madeForDays = 365): Promise<string> {
    const keyId = await keyWith(3, madeForDays);
    await endedSince(keyId, ago);
    await usedBeforeEnd(keyId, usedBefore);
    return keyId;
  }

  it("is told of once, in place of its end to come, by its name, and by what to do", async () => {
    const keyId = await keyWith(3);
    await watchKeys();
    await endedSince(keyId, "1 minute");
    await usedBeforeEnd(keyId, "1 hour");
    expect(await watchKeys()).toEqual({ raised: 1, ended: 1 });
    expect(await alerts()).toMatchObject([
      {
        kind: "key.ended",
        title: "An API key has ended: its calls are refused",
        projectId: account.projectId,
        subjectId: keyId,
        message: expect.stringMatching(
          /^The key “Backend” \(….{4}\) of the project “Default” ended on [\d-]{10} at \d\d:\d\d UTC, .* create another key/,
        ),
      },
    ]);
    expect(await watchKeys()).toEqual(NOTHING);
  });

  it("is nothing to tell of where nobody used it in its last week", async () => {
    await endedKey("1 minute", "169 hours");
    await keyWith(-1);
    expect(await watchKeys()).toEqual(NOTHING);
    await endedKey("1 minute", "167 hours");
    expect(await watchKeys()).toEqual({ raised: 1, ended: 0 });
  });

  it("is nothing to tell of where it was made for two weeks or less, nor where staff suspended the account", async () => {
    await endedKey("1 minute", "1 hour", 14);
    expect(await watchKeys()).toEqual(NOTHING);
    await endedKey();
    await suspendAccount(OPERATOR, { accountId: account.accountId, reason: "Abuse" });
    expect(await watchKeys()).toEqual(NOTHING);
  });

  it("is past after a week, and when it is revoked", async () => {
    const [old, revoked] = [await endedKey("167 hours"), await endedKey()];
    expect(await watchKeys()).toEqual({ raised: 2, ended: 0 });
    await db().query("UPDATE api_keys SET expires_at = expires_at - interval '2 hours' WHERE id = $1", [old]);
    expect(await watchKeys()).toEqual({ raised: 0, ended: 1 });
    await revokeApiKey(await ownerOf(account), { keyId: revoked, scope: account });
    expect(await watchKeys()).toEqual({ raised: 0, ended: 1 });
    expect(await alerts()).toEqual([]);
  });
});
