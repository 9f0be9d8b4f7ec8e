import { callEndpoint, noIds } from "@/e2e/api/support/endpoint-requests";
import { type Draw, idempotencyKeyOf } from "@/e2e/api/support/tenancy/attacks";
import { LeakWatch } from "@/e2e/api/support/tenancy/leak-watch";
import { settledDigests } from "@/e2e/api/support/tenancy/settled-rows";
import { TenancyRun } from "@/e2e/api/support/tenancy/tenancy-run";
import { fillTenant, makeTenants, markAccounts, type Tenant, watchTenant } from "@/e2e/api/support/tenancy/tenants";
import { startHttpsReceiver } from "@/e2e/support/https-receiver";
import { suite } from "@/e2e/support/suite";
import { tenantTables } from "@/e2e/support/tenant-rows";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

export interface TenancySize {
  accounts: number;
  projects: number;
  /** Calls of each kind on each endpoint that has a place for it. */
  perKind: number;
}

export interface TenancyResult {
  calls: number;
  /** By kind of attack. */
  kinds: Map<string, number>;
  endpoints: number;
  tenants: number;
  /** Ids and words that were watched for. */
  marks: number;
  /** Kinds of ids that were sent. */
  idKinds: Set<string>;
  /** Tables of quiet tenants whose rows were compared. */
  tables: number;
  modelRequests: number;
  deliveries: number;
  /** In words, what must not be. */
  violations: string[];
}

/**
 * Makes accounts with projects, end users and keys, fills them, and then makes calls on every endpoint in random order, with
 * ids of others, without permissions, with dead keys and with others' keys of idempotency. Whatever differs from what
 * somebody gets who asks for what nobody has, or tells a word or an id of somebody else, is in the violations; so is every
 * changed row of tenants that nobody may reach, and a word of one tenant in what the model is shown or a receiver is sent
 * for another.
 */
export async function runTenancy(random: () => number, size: TenancySize): Promise<TenancyResult> {
  const draw = drawOf(random);
  const newCanary = () => `canary${Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join("")}`;
  const [receiver, tables] = await Promise.all([
    startHttpsReceiver({ certificates: suite.certificates }),
    tenantTables(),
  ]);
  try {
    const tenants = await makeTenants(size.accounts, size.projects, newCanary);
    const watch = new LeakWatch();
    await Promise.all(tenants.map((tenant) => fillTenant(tenant, receiver.url)));
    await Promise.all(tenants.map(useIdempotencyKeys));
    await markAccounts(tenants, watch, newCanary);
    for (const tenant of tenants) await watchTenant(tenant, watch, tables);
    const run = new TenancyRun({ draw, tenants }, watch);
    const before = await settledDigests(tenants, tables);
    await run.attackAll(size.perKind, random);
    const after = await settledDigests(tenants, tables);
    run.compareRows(before, after);
    const modelRequests = await run.checkModel();
    run.checkDeliveries(receiver, tenants);
    const { calls, kinds, idKinds, violations, asked } = run;
    const deliveries = receiver.requests.length;
    const counts = { calls, kinds, idKinds, endpoints: asked.size, tenants: tenants.length, marks: watch.size };
    return { ...counts, tables: before.size, modelRequests, deliveries, violations };
  } finally {
    await receiver.close();
  }
}

function drawOf(random: () => number): Draw {
  return {
    from(values) {
      if (values.length === 0) throw new Error("There is nothing to draw from.");
      return values[Math.floor(random() * values.length)] as (typeof values)[number];
    },
    chance: (share) => random() < share,
  };
}

async function useIdempotencyKeys(tenant: Tenant): Promise<void> {
  for (const definition of ENDPOINTS.filter(({ isIdempotent, params }) => isIdempotent && !params)) {
    const headers = { "Idempotency-Key": idempotencyKeyOf(tenant, definition) };
    await callEndpoint(definition, { apiKey: tenant.account.apiKey, fields: noIds(definition), headers });
  }
}
