import { type Caller, fieldResources, namesOf, pathResource } from "@/e2e/api/support/endpoint-requests";
import type { LeakWatch } from "@/e2e/api/support/tenancy/leak-watch";
import { writeAccountRecords } from "@/e2e/support/account-records";
import { apiClient } from "@/e2e/support/api-client";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import { fillProject } from "@/e2e/support/filled-account";
import { suite } from "@/e2e/support/suite";
import { readIds, type TenantTable } from "@/e2e/support/tenant-rows";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { type EndpointDefinition, endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { prisma } from "@/lib/db/prisma";
import type { ErrorCode } from "@/lib/domain/errors";
import { PERMISSIONS, type Permission } from "@/lib/domain/permissions";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";

/** A project of an account, with something of every kind in it and keys of every kind to it. */
export interface Tenant extends Caller {
  /** It calls nobody and nobody may reach it: its rows stay as they are. */
  isQuiet: boolean;
  /** Of what belongs to no end user in particular. */
  canary: string;
  /** Their names are the same in every project. */
  endUsers: { endUserId: string; canary: string }[];
  /** One for each set of permissions. */
  keys: { apiKey: string; permissions: readonly Permission[] }[];
  deadKeys: { apiKey: string; what: string; code: ErrorCode }[];
  /** Ids of everything in it, of any kind. */
  ids: string[];
  /** By the name of an endpoint, and of a field where it takes an id in one: an own one of the right kind. */
  ownIds: Map<string, string>;
}

export const END_USER_IDS = ["ada", "bob"] as const;

const LIMITS = { planId: "scale", credits: 10_000_000, rateLimitPerMinute: 1_000_000 } as const;

/** Accounts of so many projects each. The whole first account is quiet, and the last project of each other one. */
export async function makeTenants(accounts: number, projects: number, newCanary: () => string): Promise<Tenant[]> {
  const made = await Promise.all(
    Array.from({ length: accounts }, async (_, index) => {
      const first = await createTestAccount(LIMITS);
      const others = Array.from({ length: projects - 1 }, (_each, number) =>
        addTestProject(first, `Further ${number + 1}`),
      );
      const all = [first, ...(await Promise.all(others))];
      return all.map((account, number) => ({ account, isQuiet: index === 0 || number === projects - 1 }));
    }),
  );
  return Promise.all(made.flat().map(({ account, isQuiet }) => makeTenant(account, isQuiet, newCanary)));
}

async function makeTenant(account: TestAccount, isQuiet: boolean, newCanary: () => string): Promise<Tenant> {
  await prisma().project.update({ where: { id: account.projectId }, data: { apiMemoryPerUser: true } });
  return {
    account,
    api: apiClient(suite.url, account.apiKey),
    isQuiet,
    canary: newCanary(),
    endUsers: END_USER_IDS.map((endUserId) => ({ endUserId, canary: newCanary() })),
    ...(isQuiet ? { keys: [], deadKeys: [] } : await makeKeys(account)),
    ids: [],
    ownIds: new Map(),
  };
}

async function makeKeys({ accountId, projectId }: TestAccount): Promise<Pick<Tenant, "keys" | "deadKeys">> {
  const newKey = async (permissions: readonly Permission[]) => ({
    ...(await createApiKey(OPERATOR, { accountId, projectId, name: permissions.join(" "), permissions })),
    permissions,
  });
  const keys = await Promise.all(subsetsOf(PERMISSIONS).map(newKey));
  const [revoked, expired] = await Promise.all([newKey(PERMISSIONS), newKey(PERMISSIONS)]);
  await revokeApiKey(OPERATOR, { keyId: revoked.keyId });
  await prisma().apiKey.update({ where: { id: expired.keyId }, data: { expiresAt: new Date(Date.now() - 1_000) } });
  const code = "INVALID_API_KEY";
  return {
    keys,
    deadKeys: [
      { apiKey: revoked.apiKey, what: "revoked", code },
      { apiKey: expired.apiKey, what: "expired", code },
    ],
  };
}

/** Each set of one or more of them. */
function subsetsOf<T>(values: readonly T[]): T[][] {
  return Array.from({ length: 2 ** values.length - 1 }, (_, number) =>
    values.filter((_value, index) => ((number + 1) >> index) % 2 === 1),
  );
}

/** Fills a tenant by way of the API and of its panel, with its canaries wherever something can be written. */
export async function fillTenant(tenant: Tenant, receiverUrl: string): Promise<void> {
  const { account, canary } = tenant;
  const { accountId, projectId } = account;
  await seedRegistration({ accountId, projectId, url: `${receiverUrl}/${canary}`, secret: newWebhookSecret() });
  await fillProject(account, canary);
  for (const definition of ENDPOINTS.filter(({ auth }) => auth === "key")) await fillFor(tenant, definition);
}

async function fillFor(tenant: Tenant, definition: EndpointDefinition): Promise<void> {
  const { canary, endUsers, ownIds } = tenant;
  const name = endpointName(definition);
  if (definition.params) ownIds.set(name, await pathResource(definition).make(tenant, {}, canary));
  for (const [field, resource] of fieldResources(definition)) {
    ownIds.set(`${name} ${field}`, await resource.make(tenant, {}, canary));
  }
  if (!knowsEndUsers(definition)) return;
  for (const user of endUsers) {
    const id = definition.params
      ? await pathResource(definition).make(tenant, { endUserId: user.endUserId }, user.canary)
      : await tenant.api
          .post<{ sessionId: string }>("/chat", { message: user.canary, endUserId: user.endUserId })
          .then(({ body }) => body.sessionId);
    ownIds.set(`${name} of ${user.endUserId}`, id);
  }
}

/** Whether an endpoint keeps end users apart. */
export function knowsEndUsers({ query, body }: EndpointDefinition): boolean {
  return [...namesOf(query), ...namesOf(body?.schema)].includes("endUserId");
}

/** What the whole account is called, and what staff noted about it: words of all of its projects. */
export async function markAccounts(tenants: Tenant[], watch: LeakWatch, newCanary: () => string): Promise<void> {
  for (const accountId of new Set(tenants.map(({ account }) => account.accountId))) {
    const canary = newCanary();
    await writeAccountRecords(accountId, canary);
    watch.add(canary, { accountId, projectId: null, endUserId: null });
  }
}

/** Puts everything that is a tenant's onto the watch's list, and the ids of it into the tenant. */
export async function watchTenant(tenant: Tenant, watch: LeakWatch, tables: TenantTable[]): Promise<void> {
  const { accountId, projectId } = tenant.account;
  const own = { accountId, projectId, endUserId: null };
  tenant.ids = await readIds("project", projectId, tables);
  for (const id of tenant.ids) watch.add(id, own);
  for (const id of await readIds("account", accountId, tables)) watch.add(id, { ...own, projectId: null });
  watch.add(tenant.canary, own);
  for (const { endUserId, canary } of tenant.endUsers) watch.add(canary, { ...own, endUserId });
  const sessions = await prisma().session.findMany({
    where: { projectId, endUserId: { in: [...END_USER_IDS] } },
    select: { id: true, endUserId: true },
  });
  for (const { id, endUserId } of sessions) watch.add(id, { ...own, endUserId });
}
