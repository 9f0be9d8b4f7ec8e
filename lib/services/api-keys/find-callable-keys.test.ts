import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { makeTestCaller } from "@/e2e/support/test-caller";
import { db } from "@/lib/db/pool";
import { findCallableKeys } from "@/lib/services/api-keys/find-callable-keys";

useServiceDatabase();

it.each([
  ["is revoked", "UPDATE api_keys SET revoked_at = now() WHERE id = $1"],
  ["expires", "UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1"],
  [
    "belongs to an account that is suspended",
    "UPDATE accounts SET verification_status = 'suspended' WHERE id = (SELECT account_id FROM api_keys WHERE id = $1)",
  ],
  [
    "belongs to a project whose API is switched off",
    "UPDATE projects SET api_enabled = false WHERE id = (SELECT project_id FROM api_keys WHERE id = $1)",
  ],
  ["is gone", "DELETE FROM api_keys WHERE id = $1"],
])("knows of a key that %s that it may make no calls, and of the others that they may", async (_what, statement) => {
  const [gone, other] = [await makeTestCaller(), await makeTestCaller()];
  const ids = [gone.keyId, other.keyId];
  expect(await findCallableKeys(ids)).toEqual(new Set(ids));
  await db().query(statement, [gone.keyId]);
  expect(await findCallableKeys(ids)).toEqual(new Set([other.keyId]));
});
