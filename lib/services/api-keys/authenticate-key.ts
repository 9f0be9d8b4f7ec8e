import { hotDb, logDb } from "@/lib/db/pool";
import { hashApiKey, isApiKey } from "@/lib/domain/api-key";
import { AppError } from "@/lib/domain/errors";
import type { Permission } from "@/lib/domain/permissions";
import { isPlanId, PLANS, SIGN_UP_PLAN } from "@/lib/domain/plans";
import type { Principal, ProjectScope } from "@/lib/domain/principal";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
import { together } from "@/lib/together";

/** A valid key and what decides whether it may call. */
export interface AuthenticatedKey {
  principal: Principal & KeyOwner;
  verificationStatus: string;
  /** The project's setting; off: 403. */
  isApiEnabled: boolean;
  /** The account's own limit, or its plan's. */
  requestsPerMinute: number;
}

/** Whose key it is. */
export type KeyOwner = ProjectScope & { apiKeyId: string };

const INVALID_KEY_MESSAGE =
  "The API key is not valid: it is malformed, unknown, revoked or expired. Check it, or create a new one in the panel.";

/** A key that is known but revoked or expired: to the client the same as any other invalid one. */
export class UnusableKeyError extends AppError {
  constructor(readonly owner: KeyOwner) {
    super("INVALID_API_KEY", INVALID_KEY_MESSAGE);
  }
}

interface KeyRow {
  id: string;
  account_id: string;
  project_id: string;
  permissions: Permission[];
  is_usable: boolean;
  verification_status: string;
  plan_id: string;
  rate_limit_per_minute: number | null;
  api_enabled: boolean;
  model: string | null;
}

/**
 * Who calls (§5). Asks the database at each call, so that revoking takes effect at once in every process; a key
 * whose form or checksum is wrong is refused without asking.
 * @param ip where the call comes from, for the key's last use
 * @throws AppError INVALID_API_KEY: malformed, unknown, revoked or expired, all with the same words; as an
 * `UnusableKeyError` when the key is known
 */
export async function authenticateKey(key: string, ip: string | null): Promise<AuthenticatedKey> {
  if (!isApiKey(key)) throw invalidKey();
  const row = await findTogether(hashApiKey(key));
  if (!row) throw invalidKey();
  const owner: KeyOwner = { accountId: row.account_id, projectId: row.project_id, apiKeyId: row.id };
  if (!row.is_usable) throw new UnusableKeyError(owner);
  noteUse(row.id, ip, Date.now());
  const planId = isPlanId(row.plan_id) ? row.plan_id : SIGN_UP_PLAN;
  return {
    principal: {
      ...owner,
      permissions: row.permissions,
      planId,
      model: row.model,
    },
    verificationStatus: row.verification_status,
    isApiEnabled: row.api_enabled,
    requestsPerMinute: row.rate_limit_per_minute ?? PLANS[planId].requestsPerMinute,
  };
}

const MAX_TOGETHER = 100;

/** Keys that come while others are being looked up share the next look-up: it begins after each of them came. */
function findTogether(hash: Buffer): Promise<KeyRow | undefined> {
  return processSingleton("authenticate-together", () => together({ work: findKeys, max: MAX_TOGETHER }))(hash);
}

async function findKeys(hashes: Buffer[]): Promise<(KeyRow | undefined)[]> {
  const names = hashes.map((hash) => hash.toString("base64"));
  const distinct = new Map(hashes.map((hash, index) => [names[index], hash]));
  const { rows } = await hotDb().query<KeyRow & { key_hash: Buffer }>({
    name: "authenticate-keys",
    text: `SELECT k.key_hash, k.id, k.account_id, k.project_id, k.permissions,
                  k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AS is_usable,
                  a.verification_status, a.plan_id, a.rate_limit_per_minute, p.api_enabled, p.model
             FROM api_keys k
             JOIN projects p ON p.id = k.project_id
             JOIN accounts a ON a.id = k.account_id
            WHERE k.key_hash = ANY ($1::bytea[])`,
    values: [[...distinct.values()]],
  });
  const found = new Map(rows.map((row) => [row.key_hash.toString("base64"), row]));
  return names.map((name) => found.get(name));
}

const USE_INTERVAL_MS = 60_000;
const MAX_REMEMBERED_KEYS = 10_000;

const lastNotedAt = processSingleton("key-use-noted", () => new Map<string, number>());

/** Keeps the key's last use, at most once a minute and beside the call: a call never waits for it nor fails by it. */
function noteUse(keyId: string, ip: string | null, now: number): void {
  if (now - (lastNotedAt.get(keyId) ?? 0) < USE_INTERVAL_MS) return;
  if (lastNotedAt.size >= MAX_REMEMBERED_KEYS) lastNotedAt.clear();
  lastNotedAt.set(keyId, now);
  logDb()
    .query({
      name: "note-key-use",
      text: `UPDATE api_keys SET last_used_at = now(), last_used_ip = coalesce($2, last_used_ip) WHERE id = $1`,
      values: [keyId, ip],
    })
    .catch((error: unknown) => {
      lastNotedAt.delete(keyId);
      log("warn", "The last use of a key was not kept.", { apiKeyId: keyId }, error);
    });
}

function invalidKey(): AppError {
  return new AppError("INVALID_API_KEY", INVALID_KEY_MESSAGE);
}
