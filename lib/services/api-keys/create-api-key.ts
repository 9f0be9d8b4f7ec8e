import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { apiKeyHint, hashApiKey, newApiKey } from "@/lib/domain/api-key";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import type { Permission } from "@/lib/domain/permissions";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";

const MAX_KEY_NAME_CHARACTERS = 100;

/** The key to make. */
export interface NewApiKey {
  accountId: string;
  /** Absent: the account's first project. */
  projectId?: string;
  name: string;
  permissions: readonly Permission[];
  /** Absent: never. */
  expiresAt?: Date;
}

/** A new key; `apiKey` is shown once and kept nowhere (§2.4). */
export interface CreatedApiKey {
  keyId: string;
  apiKey: string;
  permissions: Permission[];
  expiresAt: Date | null;
}

/**
 * Creates an API key; only its hash and its last four characters are stored.
 * @throws AppError NOT_FOUND (account or project), B2B_NOT_VERIFIED (§5.4), VALIDATION_FAILED
 */
export async function createApiKey(actor: Actor, input: NewApiKey): Promise<CreatedApiKey> {
  const name = input.name.trim();
  if (name.length < 1 || name.length > MAX_KEY_NAME_CHARACTERS) {
    throw invalidField("name", `must have 1 to ${MAX_KEY_NAME_CHARACTERS} characters`);
  }
  const permissions = [...new Set(input.permissions)];
  if (permissions.length === 0) throw invalidField("permissions", "must name at least one permission");
  return prisma().$transaction(async (tx) => {
    const account = await lockAccount(tx, input.accountId);
    if (account.verificationStatus !== "verified") {
      throw new AppError("B2B_NOT_VERIFIED", "API keys can be created once the account is verified.");
    }
    const projectId = await findProject(tx, input.accountId, input.projectId);
    const apiKey = newApiKey();
    const keyId = newId("apiKey");
    const expiresAt = input.expiresAt ?? null;
    await tx.apiKey.create({
      data: {
        id: keyId,
        accountId: input.accountId,
        projectId,
        name,
        keyHash: new Uint8Array(hashApiKey(apiKey)),
        hint: apiKeyHint(apiKey),
        permissions,
        expiresAt,
        createdById: actor.userId ?? null,
      },
    });
    await recordAudit(tx, actor, {
      accountId: input.accountId,
      action: "key.create",
      subject: keyId,
      after: { name, projectId, permissions, expiresAt: expiresAt?.toISOString() ?? null },
    });
    return { keyId, apiKey, permissions, expiresAt };
  });
}

async function findProject(tx: Prisma.TransactionClient, accountId: string, projectId?: string): Promise<string> {
  const project = await tx.project.findFirst({
    where: { accountId, ...(projectId === undefined ? {} : { id: projectId }) },
    orderBy: { createdAt: "asc" },
    select: { id: true },
  });
  if (!project) throw notFound(projectId === undefined ? "A project of the account" : `The project ${projectId}`);
  return project.id;
}
