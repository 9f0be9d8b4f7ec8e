import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import { hashApiKey } from "@/lib/domain/api-key";
import { PERMISSIONS } from "@/lib/domain/permissions";
import type { PlanId } from "@/lib/domain/plans";
import { NO_ALLOWANCES, type Principal } from "@/lib/domain/principal";
import { createAccount } from "@/lib/services/accounts/create-account";
import type { Actor } from "@/lib/services/accounts/record-audit";
import type { KeyOwner } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey, createPlaygroundKey } from "@/lib/services/api-keys/create-api-key";
import { createProject } from "@/lib/services/projects/create-project";

/** A verified account with a key for everything, made through the operator's own use cases. */
export interface TestAccount {
  accountId: string;
  projectId: string;
  apiKey: string;
  principal: Principal & KeyOwner;
}

const OPERATOR = { kind: "operator" } as const;

export async function createTestAccount(
  options: { credits?: number; planId?: PlanId; rateLimitPerMinute?: number } = {},
): Promise<TestAccount> {
  const { planId = "growth", credits = 1_000, rateLimitPerMinute } = options;
  const { accountId, projectId } = await createAccount(OPERATOR, {
    companyName: "Test Company",
    email: `owner-${randomUUID()}@example.test`,
    isVerified: true,
    planId,
    credits,
    ...(rateLimitPerMinute !== undefined && { rateLimitPerMinute }),
  });
  const { keyId, apiKey } = await createApiKey(OPERATOR, { accountId, name: "Test", permissions: PERMISSIONS });
  return {
    accountId,
    projectId,
    apiKey,
    principal: {
      accountId,
      projectId,
      apiKeyId: keyId,
      permissions: PERMISSIONS,
      planId,
      model: null,
      allowances: NO_ALLOWANCES,
    },
  };
}

/** The account's owner, as who acts. */
export async function ownerOf({ accountId }: Pick<TestAccount, "accountId">): Promise<Actor & { userId: string }> {
  const { userId } = await prisma().member.findFirstOrThrow({ where: { accountId, role: "owner" } });
  return { kind: "owner", userId, ip: "203.0.113.7" };
}

/** A further project of the account, with a key for everything of its own. */
export async function addTestProject({ accountId, principal }: TestAccount, name: string): Promise<TestAccount> {
  const { id: projectId } = await createProject(OPERATOR, { accountId }, { name });
  const { keyId, apiKey } = await createApiKey(OPERATOR, { accountId, projectId, name, permissions: PERMISSIONS });
  return { accountId, projectId, apiKey, principal: { ...principal, projectId, apiKeyId: keyId } };
}

/** A key that the playground made in the account's project; gives its id. */
export async function addPlaygroundKey({ accountId, projectId }: TestAccount): Promise<string> {
  const { apiKey } = await createPlaygroundKey(OPERATOR, { accountId, projectId });
  const keyHash = new Uint8Array(hashApiKey(apiKey));
  return (await prisma().apiKey.findUniqueOrThrow({ where: { keyHash } })).id;
}
