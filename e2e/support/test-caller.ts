import { db } from "@/lib/db/pool";
import { apiKeyHint, hashApiKey, newApiKey } from "@/lib/domain/api-key";
import { newId } from "@/lib/domain/ids";
import { PERMISSIONS, type Permission } from "@/lib/domain/permissions";
import type { PlanId } from "@/lib/domain/plans";

export interface TestCallerOptions {
  verificationStatus?: string;
  isApiEnabled?: boolean;
  permissions?: readonly Permission[];
  planId?: PlanId;
  requestsPerMinute?: number | null;
  expiresAt?: Date | null;
  revokedAt?: Date | null;
  allowedNetworks?: string[];
}

export interface TestCaller {
  apiKey: string;
  keyId: string;
  accountId: string;
  projectId: string;
}

/** An account with a project and a key, all in order unless told otherwise; for tests of what a key may do. */
export async function makeTestCaller(options: TestCallerOptions = {}): Promise<TestCaller> {
  const caller = {
    apiKey: newApiKey(),
    keyId: newId("apiKey"),
    accountId: newId("account"),
    projectId: newId("project"),
  };
  await db().query(
    `INSERT INTO accounts (id, company_name, verification_status, plan_id, rate_limit_per_minute, credit_balance)
     VALUES ($1, 'Acme', $2, $3, $4, 1000)`,
    [
      caller.accountId,
      options.verificationStatus ?? "verified",
      options.planId ?? "scale",
      options.requestsPerMinute ?? null,
    ],
  );
  await db().query(
    `INSERT INTO projects (id, account_id, name, api_enabled, callback_secret_encrypted) VALUES ($1, $2, 'Main', $3, 'x')`,
    [caller.projectId, caller.accountId, options.isApiEnabled ?? true],
  );
  await db().query(
    `INSERT INTO api_keys (id, account_id, project_id, name, key_hash, hint, permissions, expires_at, revoked_at, allowed_networks)
     VALUES ($1, $2, $3, 'Test', $4, $5, $6, $7, $8, $9)`,
    [
      caller.keyId,
      caller.accountId,
      caller.projectId,
      hashApiKey(caller.apiKey),
      apiKeyHint(caller.apiKey),
      options.permissions ?? PERMISSIONS,
      options.expiresAt ?? null,
      options.revokedAt ?? null,
      options.allowedNetworks ?? [],
    ],
  );
  return caller;
}
