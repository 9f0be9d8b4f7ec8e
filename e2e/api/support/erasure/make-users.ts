import { newTemplate } from "@/e2e/api/support/account-states";
import type { BusyUser } from "@/e2e/api/support/erasure/end-user-acts";
import { apiClient } from "@/e2e/support/api-client";
import { LONG_DOCUMENT_MODEL } from "@/e2e/support/long-document";
import { suite } from "@/e2e/support/suite";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";

const PROJECTS_PER_ACCOUNT = 2;

export interface ErasureSize {
  accounts: number;
  /** Half of them are erased. */
  usersPerProject: number;
}

/** An end user's canary comes from `newCanary`; they have done nothing yet. */
export async function makeUsers(size: ErasureSize, newCanary: () => string, receiverUrl: string): Promise<BusyUser[]> {
  const accounts = await Promise.all(
    Array.from({ length: size.accounts }, async () => {
      const first = await createTestAccount({ planId: "scale", credits: 1_000_000, rateLimitPerMinute: 1_000_000 });
      const names = Array.from({ length: PROJECTS_PER_ACCOUNT - 1 }, (_, index) => `Further ${index + 1}`);
      return [first, ...(await Promise.all(names.map((name) => addTestProject(first, name))))];
    }),
  );
  const users = await Promise.all(accounts.flat().map((account) => makeUsersOf(size, newCanary, account, receiverUrl)));
  return users.flat();
}

async function makeUsersOf(
  size: ErasureSize,
  newCanary: () => string,
  account: TestAccount,
  receiverUrl: string,
): Promise<BusyUser[]> {
  const { projectId } = account;
  await prisma().project.update({
    where: { id: projectId },
    data: { apiMemoryPerUser: true, model: LONG_DOCUMENT_MODEL },
  });
  const api = apiClient(suite.url, account.apiKey);
  const templateId = await newTemplate(account, "Dear {{name}}", { name: "you" });
  const body = { url: `${receiverUrl}/all`, events: ["completion", "error"] };
  await api.post(`//b2b/partners/${account.accountId}/webhooks`, body);
  return Array.from({ length: size.usersPerProject }, () => {
    const canary = newCanary();
    return { account, api, canary, endUserId: `user+${canary}@x.example`, templateId, receiverUrl, sessionIds: [] };
  });
}
