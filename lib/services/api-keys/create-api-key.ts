import { databaseNow } from "@/lib/db/database-now";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { apiKeyHint } from "@/lib/domain/api-key";
import { invalidField, notFound } from "@/lib/domain/errors";
import { PERMISSIONS, type Permission } from "@/lib/domain/permissions";
import { isPlaygroundKey, PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import type { ProjectScope } from "@/lib/domain/principal";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { type CreatedApiKey, checkLiveKeys, insertApiKey, lockForNewKey } from "@/lib/services/api-keys/insert-api-key";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { findFirstProject } from "@/lib/services/projects/find-project";

const MAX_KEY_NAME_CHARACTERS = 100;
const DAY_MS = 86_400_000;

/** The key to make. */
export interface NewApiKey {
  accountId: string;
  /** Absent: the account's first project. */
  projectId?: string;
  name: string;
  permissions: readonly Permission[];
  /** Absent: never. */
  expiresAt?: Date;
  /** Credits that it may use in a calendar month (UTC). Absent: as many as the account has. */
  creditsPerMonth?: number | null;
  /** Addresses and networks from which it may be used, as `readNetwork` gives them. Absent: from anywhere. */
  allowedNetworks?: string[];
}

/**
 * Creates an API key; only its hash and its last four characters are stored. Owners are told of it by mail, but of the
 * playground's, which end by themselves.
 * @throws AppError NOT_FOUND (account or project), B2B_NOT_VERIFIED (§5.4), VALIDATION_FAILED, also when the account has as
 *   many keys in use as it may have
 */
export async function createApiKey(actor: Actor, input: NewApiKey, now = new Date()): Promise<CreatedApiKey> {
  const name = input.name.trim();
  if (name.length < 1 || name.length > MAX_KEY_NAME_CHARACTERS) {
    throw invalidField("name", `must have 1 to ${MAX_KEY_NAME_CHARACTERS} characters`);
  }
  const permissions = [...new Set(input.permissions)];
  if (permissions.length === 0) throw invalidField("permissions", "must name at least one permission");
  const expiresAt = input.expiresAt ?? null;
  if (expiresAt !== null && expiresAt <= now) throw invalidField("expiresAt", "must be in the future");
  const { creditsPerMonth = null, allowedNetworks = [] } = input;
  const made = await prisma().$transaction(async (tx) => {
    await lockForNewKey(tx, actor, input.accountId, "keys.create");
    const scope = await findScope(tx, input.accountId, input.projectId);
    const created = await insertApiKey(
      tx,
      actor,
      scope,
      { name, permissions, expiresAt, creditsPerMonth, allowedNetworks },
      now,
    );
    await checkLiveKeys(tx, input.accountId, now);
    if (!isPlaygroundKey({ name, expiresAt }, now)) {
      const hint = apiKeyHint(created.apiKey);
      await tellOwners(tx, actor, input.accountId, { action: "key.create", projectId: scope.projectId, name, hint });
    }
    return created;
  });
  wakeRelay();
  return made;
}

/**
 * A key that takes calls for so many days from now on. They are by the database's clock, which decides at each call: by that of
 * a machine that is off it would end too early or too late.
 * @param days null: for good
 * @throws AppError as `createApiKey`
 */
export async function createApiKeyForDays(
  actor: Actor,
  input: Omit<NewApiKey, "expiresAt">,
  days: number | null,
): Promise<CreatedApiKey> {
  const now = await databaseNow(prisma());
  const expiresAt = days === null ? undefined : new Date(now.getTime() + days * DAY_MS);
  return createApiKey(actor, { ...input, expiresAt }, now);
}

/**
 * A key for everything that ends by itself. Its hour is by the database's clock as well: by that of a machine that is behind it
 * would have ended before it began.
 * @throws AppError as `createApiKey`
 */
export async function createPlaygroundKey(
  actor: Actor,
  { accountId, projectId }: ProjectScope,
): Promise<{ apiKey: string; expiresAt: Date }> {
  const now = await databaseNow(prisma());
  const expiresAt = new Date(now.getTime() + PLAYGROUND_KEY.seconds * 1_000);
  const input = { accountId, projectId, name: PLAYGROUND_KEY.name, permissions: PERMISSIONS, expiresAt };
  const { apiKey } = await createApiKey(actor, input, now);
  return { apiKey, expiresAt };
}

async function findScope(tx: Prisma.TransactionClient, accountId: string, projectId?: string): Promise<ProjectScope> {
  if (projectId === undefined) return findFirstProject(accountId, tx);
  const isThere = (await tx.project.count({ where: { id: projectId, accountId } })) > 0;
  if (!isThere) throw notFound(`The project ${projectId}`);
  return { accountId, projectId };
}
