import { beforeEach, expect, it } from "vitest";
import { callEntryOf } from "@/e2e/support/call-entries";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { dismissAlert } from "@/lib/services/alerts/dismiss-alert";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { watchKeysElsewhere } from "@/lib/services/alerts/watch-keys-elsewhere";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { limitApiKey } from "@/lib/services/api-keys/limit-api-key";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";
import { writeCalls } from "@/lib/services/call-log/write-calls";

useServiceDatabase();

const PAGE = { limit: 20, offset: 0 };
const NOTHING = { raised: 0, ended: 0 };
const RAISED = { raised: 1, ended: 0 };
const ENDED = { raised: 0, ended: 1 };
const OURS = "198.51.100.0/24";

let account: TestAccount;
let keyId: string;

beforeEach(async () => {
  await db().query("TRUNCATE alerts, call_logs");
  account = await createTestAccount();
  keyId = await boundKey();
});

async function boundKey(name = "Backend", allowedNetworks = [OURS]): Promise<string> {
  const made = await createApiKey(OPERATOR, {
    accountId: account.accountId,
    name,
    permissions: ["chat"],
    allowedNetworks,
  });
  return made.keyId;
}

/** Calls with the key that were refused for where they came from, the last named the newest. */
async function refuse(ips: (string | null)[], apiKeyId = keyId): Promise<void> {
  const nowMs = performance.now();
  await writeCalls(
    ips.map((ip, index) =>
      callEntryOf(account, {
        apiKeyId,
        ip,
        status: 403,
        errorCode: "ADDRESS_NOT_ALLOWED",
        receivedAtMs: nowMs - (ips.length - index) * 1_000,
      }),
    ),
  );
}

const allow = (allowedNetworks: string[]) => limitApiKey(OPERATOR, account, { keyId, allowedNetworks });
const age = (table: "alerts" | "call_logs", ago: string) =>
  db().query(`UPDATE ${table} SET created_at = now() - $1::interval`, [ago]);
const alerts = async (state: "open" | "past" = "open") => (await listAlerts(account, PAGE, state)).data;

async function dismissAll(): Promise<void> {
  for (const { id } of await alerts()) await dismissAlert(await ownerOf(account), account, id);
}

it("is told of once, by its name and the addresses", async () => {
  await refuse(["203.0.113.9"]);
  expect(await watchKeysElsewhere()).toEqual(RAISED);
  expect(await alerts()).toMatchObject([
    {
      kind: "key.elsewhere",
      title: "An API key was used from elsewhere: its calls are refused",
      projectId: account.projectId,
      subjectId: keyId,
      message: expect.stringMatching(
        /^The key “Backend” \(….{4}\) of the project “Default” was used from 203\.0\.113\.9, where it is not allowed to be: 1 call of the last 24 hours was refused\. .+ rotate the key: somebody else has it\.$/,
      ),
    },
  ]);
  await refuse(["203.0.113.10"]);
  expect(await watchKeysElsewhere(), "it stands open").toEqual(NOTHING);
});

it("has the newest addresses named, and all counted", async () => {
  const addresses = ["203.0.113.1", "203.0.113.2", "2001:db8::3", "203.0.113.4", "203.0.113.5", "203.0.113.1"];
  await refuse(addresses);
  await watchKeysElsewhere();
  expect((await alerts())[0]?.message).toContain(
    "was used from 203.0.113.1, 203.0.113.5, 203.0.113.4 and 2 other addresses, where it is not allowed to be: 6 calls of the last 24 hours were refused",
  );
});

it("is told of where no address is known, too", async () => {
  await refuse([null]);
  await watchKeysElsewhere();
  expect((await alerts())[0]?.message).toContain("was used from an address that is not known, where");
});

it("is each key's own matter, and no other's: nor are calls refused for another reason", async () => {
  const other = await boundKey("Other");
  await refuse(["203.0.113.9"], other);
  await writeCalls([callEntryOf(account, { apiKeyId: keyId, status: 403, errorCode: "INSUFFICIENT_PERMISSION" })]);
  expect(await watchKeysElsewhere()).toEqual(RAISED);
  expect((await alerts()).map(({ subjectId }) => subjectId)).toEqual([other]);
  await refuse(["203.0.113.9"]);
  expect(await watchKeysElsewhere(), "of the other one something is told already").toEqual(RAISED);
});

it("is over when those addresses are allowed, and when it is bound to none", async () => {
  await refuse(["203.0.113.9"]);
  await watchKeysElsewhere();
  await allow([OURS, "203.0.113.8/31"]);
  expect(await watchKeysElsewhere()).toEqual(ENDED);
  await refuse(["203.0.113.10"]);
  await age("alerts", "25 hours");
  expect(await watchKeysElsewhere(), "another one is not").toEqual(RAISED);
  await allow([]);
  expect(await watchKeysElsewhere()).toEqual(ENDED);
  expect(await alerts()).toEqual([]);
});

it("is over when it is revoked, has ended, or was used so for the last time a day ago", async () => {
  const revoke = () => revokeApiKey(OPERATOR, { keyId, scope: account });
  const end = () => db().query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [keyId]);
  for (const finish of [revoke, end, () => age("call_logs", "25 hours")]) {
    keyId = await boundKey();
    await refuse(["203.0.113.9"]);
    expect(await watchKeysElsewhere()).toEqual(RAISED);
    await finish();
    expect(await watchKeysElsewhere()).toEqual(ENDED);
  }
});

it("is told of while it still answers beside the one that takes over", async () => {
  await refuse(["203.0.113.9"]);
  await rotateApiKey(await ownerOf(account), account, { keyId, overlapHours: 24 });
  expect(await watchKeysElsewhere()).toEqual(RAISED);
});

it("is told of anew a day after it was, where somebody put that away or it had ended; not before", async () => {
  await refuse(["203.0.113.9"]);
  await watchKeysElsewhere();
  await age("alerts", "25 hours");
  expect(await watchKeysElsewhere(), "it stands open").toEqual(NOTHING);
  await dismissAll();
  await age("alerts", "23 hours");
  expect(await watchKeysElsewhere()).toEqual(NOTHING);
  await age("alerts", "25 hours");
  expect(await watchKeysElsewhere()).toEqual(RAISED);
});

it("is nothing to tell a suspended account of: none of its keys takes calls", async () => {
  await refuse(["203.0.113.9"]);
  await suspendAccount(OPERATOR, { accountId: account.accountId, reason: "Abuse" });
  expect(await watchKeysElsewhere()).toEqual(NOTHING);
});
