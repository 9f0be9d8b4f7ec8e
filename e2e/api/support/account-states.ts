import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import type { Permission } from "@/lib/domain/permissions";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";

/** States that an account gets into by staff, by its owner or by time, put into the database directly. */

export async function setVerification({ accountId }: TestAccount, verificationStatus: string): Promise<void> {
  await prisma().account.update({ where: { id: accountId }, data: { verificationStatus } });
}

export async function switchApiOff({ projectId }: TestAccount): Promise<void> {
  await prisma().project.update({ where: { id: projectId }, data: { apiEnabled: false } });
}

export async function switchApiOn({ projectId }: TestAccount): Promise<void> {
  await prisma().project.update({ where: { id: projectId }, data: { apiEnabled: true } });
}

/** Tokens that the account used in the current month. */
export async function setTokensUsed({ accountId }: TestAccount, tokensUsed: number): Promise<void> {
  const now = new Date();
  const periodStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  await prisma().accountPeriod.create({ data: { accountId, periodStart, tokensUsed: BigInt(tokensUsed) } });
}

/** Allows each end user of the project a credit a month, which this one has used. */
export async function limitEndUser({ accountId, projectId }: TestAccount, endUserId: string): Promise<void> {
  await prisma().project.update({ where: { id: projectId }, data: { endUserCreditsPerMonth: 1 } });
  const day = new Date(new Date().toISOString().slice(0, 10));
  const used = { requests: 1, tokensIn: 10, tokensOut: 10, credits: 1 };
  await prisma().usageDay.create({ data: { accountId, projectId, day, endpoint: "POST /chat", endUserId, ...used } });
}

/** Allows the account's key a credit a month, which it has used. */
export async function limitKey({ projectId, principal: { apiKeyId } }: TestAccount): Promise<void> {
  await prisma().apiKey.update({ where: { id: apiKeyId }, data: { creditsPerMonth: 1 } });
  const day = new Date(new Date().toISOString().slice(0, 10));
  await prisma().usageKeyDay.create({ data: { projectId, apiKeyId, day, requests: 1, credits: 1 } });
}

/** Allows the account's project a credit a month, which it has used. */
export async function limitProject({ accountId, projectId }: TestAccount): Promise<void> {
  await prisma().project.update({ where: { id: projectId }, data: { creditsPerMonth: 1 } });
  const day = new Date(new Date().toISOString().slice(0, 10));
  const used = { requests: 1, tokensIn: 10, tokensOut: 10, credits: 1 };
  await prisma().usageDay.create({ data: { accountId, projectId, day, endpoint: "POST /chat", ...used } });
}

/** A further key of the account; its end may also be past, which its owner cannot ask for. */
export async function newKey(
  { accountId }: TestAccount,
  options: { permissions?: Permission[]; expiresAt?: Date; allowedNetworks?: string[] } = {},
): Promise<{ keyId: string; apiKey: string }> {
  const { permissions = ["chat", "process"], expiresAt, allowedNetworks } = options;
  const key = await createApiKey({ kind: "operator" }, { accountId, name: "Further", permissions, allowedNetworks });
  if (expiresAt) await prisma().apiKey.update({ where: { id: key.keyId }, data: { expiresAt } });
  return key;
}

/** A template; returns its id. */
export async function newTemplate(
  { projectId }: TestAccount,
  promptTemplate: string,
  variables: Record<string, string> = {},
): Promise<string> {
  const id = newId("template");
  await prisma().template.create({
    data: {
      id,
      projectId,
      name: "Test",
      slug: id,
      promptTemplate,
      variables,
      versions: { create: { version: 1, promptTemplate, variables } },
    },
  });
  return id;
}

/** Changes a template as its owner would: a new version. */
export async function addTemplateVersion(id: string, version: number, promptTemplate: string): Promise<void> {
  await prisma().template.update({
    where: { id },
    data: { version, promptTemplate, versions: { create: { version, promptTemplate, variables: {} } } },
  });
}

export interface CreditState {
  balance: number;
  reserved: number;
  /** Sum of the ledger. */
  ledger: number;
  charges: number;
}

export async function readCredits({ accountId }: TestAccount): Promise<CreditState> {
  const [account, entries] = await Promise.all([
    prisma().account.findUniqueOrThrow({ where: { id: accountId } }),
    prisma().ledgerEntry.findMany({ where: { accountId } }),
  ]);
  return {
    balance: account.creditBalance,
    reserved: account.creditReserved,
    ledger: entries.reduce((sum, { amount }) => sum + amount, 0),
    charges: entries.filter(({ kind }) => kind === "charge").length,
  };
}
