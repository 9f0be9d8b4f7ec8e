import { type EndpointCall, fieldResources, namesOf, noIds, pathResource } from "@/e2e/api/support/endpoint-requests";
import { END_USER_IDS, knowsEndUsers, type Tenant } from "@/e2e/api/support/tenancy/tenants";
import { type EndpointDefinition, endpointName } from "@/lib/contracts/endpoint-definition";
import { ID_PREFIXES, type IdKind, newId } from "@/lib/domain/ids";

/** One call that must tell nothing of anybody else. */
export interface Attack {
  kind: string;
  definition: EndpointDefinition;
  by: Tenant;
  call: EndpointCall;
  /**
   * The same call of somebody with nothing to find: the answer must be the same. `name` is the same for all attacks that
   * must be answered alike, whoever makes them.
   */
  like?: { name: string; call: EndpointCall };
  /** What the answer must be, where it is known. */
  expected?: { status: number; code?: string };
}

/** Draws from what there is. */
export interface Draw {
  /** @throws Error when there is nothing to draw from */
  from<T>(values: readonly T[]): T;
  chance(share: number): boolean;
}

/** All kinds of attacks on one endpoint; each gives one of its kind, or null where the endpoint has no place for it. */
export const KINDS: Readonly<Record<string, (definition: EndpointDefinition, world: World) => Attack | null>> = {
  "another tenant's id in the path": (definition, { draw, tenants }) => {
    if (!definition.params) return null;
    const { by, victim } = drawPair(draw, tenants, OF_WHOLE_ACCOUNT.test(definition.path));
    const id = draw.from([draw.from(victim.ids), victim.ownIds.get(endpointName(definition)) ?? ""]);
    const { apiKey } = by.account;
    const missing = pathResource(definition).missing();
    const fields = drawEndUser(draw, definition);
    return {
      kind: "another tenant's id in the path",
      definition,
      by,
      call: { apiKey, id, fields },
      like: { name: "path", call: { apiKey, id: missing } },
      expected: { status: 404, code: "NOT_FOUND" },
    };
  },

  "another tenant's id in a field": (definition, { draw, tenants }) => {
    const fields = fieldResources(definition);
    if (fields.length === 0) return null;
    const { by, victim } = drawPair(draw, tenants);
    const [field] = draw.from(fields);
    const id = draw.from([draw.from(victim.ids), victim.ownIds.get(`${endpointName(definition)} ${field}`) ?? ""]);
    const { apiKey } = by.account;
    const callWith = (value: string): EndpointCall => ({
      apiKey,
      ...ownPath(by, definition),
      fields: only(definition, field, value),
    });
    return {
      kind: "another tenant's id in a field",
      definition,
      by,
      call: callWith(id),
      like: { name: `field ${field} ${kindOf(id)}`, call: callWith(likeButMissing(id)) },
      ...(definition.method !== "GET" && { expected: { status: 404, code: "NOT_FOUND" } }),
    };
  },

  "another end user's session": (definition, { draw, tenants }) => {
    if (!knowsEndUsers(definition)) return null;
    const by = draw.from(tenants.filter(({ isQuiet }) => !isQuiet));
    const [owner, other] = draw.chance(0.5) ? END_USER_IDS : END_USER_IDS.toReversed();
    const owned = by.ownIds.get(`${endpointName(definition)} of ${owner}`) ?? "";
    const { apiKey } = by.account;
    const kind = "another end user's session";
    const base = { kind, definition, by };
    if (definition.params) {
      const missing = pathResource(definition).missing();
      const fields = { endUserId: other };
      return {
        ...base,
        call: { apiKey, id: owned, fields },
        like: { name: "path", call: { apiKey, id: missing, fields } },
        expected: { status: 404, code: "NOT_FOUND" },
      };
    }
    const isContinuing = fieldResources(definition).some(([field]) => field === "sessionId");
    if (!isContinuing) return { ...base, call: { apiKey, fields: { ...noIds(definition), endUserId: other } } };
    const callWith = (sessionId: string): EndpointCall => ({
      apiKey,
      fields: { ...only(definition, "sessionId", sessionId), endUserId: other },
    });
    return {
      ...base,
      call: callWith(owned),
      like: { name: "field sessionId ses", call: callWith(newId("session")) },
      expected: { status: 404, code: "NOT_FOUND" },
    };
  },

  "a key without the permission": (definition, { draw, tenants }) => {
    const { permission } = definition;
    if (permission === null) return null;
    const { by, victim } = drawPair(draw, tenants);
    const { apiKey } = draw.from(by.keys.filter(({ permissions }) => !permissions.includes(permission)));
    return {
      kind: "a key without the permission",
      definition,
      by,
      call: { apiKey, ...anyId(draw, definition, by, victim) },
      like: { name: "permission", call: { apiKey } },
      expected: { status: 403, code: "INSUFFICIENT_PERMISSION" },
    };
  },

  "a dead key": (definition, { draw, tenants }) => {
    const { by, victim } = drawPair(draw, tenants);
    const { apiKey, code } = draw.from(by.deadKeys);
    return {
      kind: "a dead key",
      definition,
      by,
      call: { apiKey, ...anyId(draw, definition, by, victim) },
      like: { name: "dead", call: { apiKey: `bld_${"x".repeat(32)}` } },
      expected: { status: 401, code },
    };
  },

  "another tenant's key of idempotency": (definition, { draw, tenants }) => {
    if (!definition.isIdempotent || definition.params) return null;
    const { by, victim } = drawPair(draw, tenants);
    return {
      kind: "another tenant's key of idempotency",
      definition,
      by,
      call: {
        apiKey: by.account.apiKey,
        fields: noIds(definition),
        headers: { "Idempotency-Key": idempotencyKeyOf(victim, definition) },
      },
      expected: { status: definition.response.status },
    };
  },

  "a list": (definition, { draw, tenants }) => {
    if (definition.method !== "GET" || definition.params) return null;
    const by = draw.from(tenants.filter(({ isQuiet }) => !isQuiet));
    const fields = {
      ...drawEndUser(draw, definition),
      ...(namesOf(definition.query).includes("limit") && { limit: "100" }),
    };
    return { kind: "a list", definition, by, call: { apiKey: by.account.apiKey, fields }, expected: { status: 200 } };
  },
};

export interface World {
  draw: Draw;
  tenants: readonly Tenant[];
}

/** The key that a tenant used with an endpoint. */
export function idempotencyKeyOf({ account }: Tenant, { operationId }: EndpointDefinition): string {
  return `shop-${account.projectId}-${operationId}`;
}

function only(definition: EndpointDefinition, field: string, value: string): Record<string, string | undefined> {
  return { ...noIds(definition), [field]: value };
}

/** Partners and webhooks: any key of an account manages those of all its projects (contract §8). */
const OF_WHOLE_ACCOUNT = /^\/b2b\/(partners|webhooks)\//;

/** Somebody who may call, and somebody else: as often of another account as another project of the same. */
function drawPair(draw: Draw, tenants: readonly Tenant[], isAcrossAccounts = false): { by: Tenant; victim: Tenant } {
  const by = draw.from(tenants.filter(({ isQuiet }) => !isQuiet));
  const isSibling = ({ account }: Tenant) => account.accountId === by.account.accountId;
  const siblings = isAcrossAccounts ? [] : tenants.filter((tenant) => tenant !== by && isSibling(tenant));
  const strangers = tenants.filter((tenant) => !isSibling(tenant));
  return { by, victim: draw.from(siblings.length > 0 && draw.chance(0.5) ? siblings : strangers) };
}

function ownPath(by: Tenant, definition: EndpointDefinition): Pick<EndpointCall, "id"> {
  const id = by.ownIds.get(endpointName(definition));
  return definition.params && id !== undefined ? { id } : {};
}

/** Whose it is must not matter to who may not ask at all. */
function anyId(draw: Draw, definition: EndpointDefinition, by: Tenant, victim: Tenant): Pick<EndpointCall, "id"> {
  if (!definition.params) return {};
  const name = endpointName(definition);
  return { id: draw.from([by.ownIds.get(name), victim.ownIds.get(name), pathResource(definition).missing()]) ?? "" };
}

function drawEndUser(draw: Draw, definition: EndpointDefinition): Record<string, string> {
  return knowsEndUsers(definition) && draw.chance(0.5) ? { endUserId: draw.from(END_USER_IDS) } : {};
}

/** "ses" of a session's id; of what is no id of a row, what it looks like. */
function kindOf(id: string): string {
  return /^[a-z]{3}(?=_)/.exec(id)?.[0] ?? (/^[0-9a-f]{40}$/.test(id) ? "file" : "sealed");
}

function likeButMissing(id: string): string {
  const kind = (Object.keys(ID_PREFIXES) as IdKind[]).find((each) => ID_PREFIXES[each] === kindOf(id));
  if (kind) return newId(kind);
  return kindOf(id) === "file" ? "0".repeat(40) : "v1.made-up";
}
