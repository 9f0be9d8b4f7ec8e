import { expect, test } from "playwright/test";
import { type Caller, callEndpoint, fieldResources, namesOf, pathResource } from "@/e2e/api/support/endpoint-requests";
import { expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { newCaller } from "@/e2e/support/suite";
import { type EndpointDefinition, endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

/**
 * Made from the list of endpoints: whichever knows `endUserId` keeps end users apart (contract §3). What another end
 * user's session is to it, is what a session that nobody has is.
 */

const OWNER = "ada";
const OTHER = "bob";
const UNSEEN = "carol";

let caller: Caller;

test.beforeAll(async () => {
  caller = await newCaller();
});

type Isolation = "by a session in its path" | "by a session in its body" | "by what it shows" | "by what it starts";

/** Where a call meets sessions of end users. @throws Error for an endpoint that fits none of the ways known here */
function isolationOf(definition: EndpointDefinition): Isolation {
  const { method, params, body, response } = definition;
  if (params) return "by a session in its path";
  if (namesOf(body?.schema).includes("sessionId")) return "by a session in its body";
  if (method === "GET") return "by what it shows";
  if (response.status === 202 && body) return "by what it starts";
  throw new Error(`Say how ${endpointName(definition)} keeps end users apart.`);
}

const CHECKS: Record<Isolation, (definition: EndpointDefinition) => Promise<void>> = {
  "by a session in its path": (definition) => {
    const call = (endUserId: string | undefined, id: string) =>
      callEndpoint(definition, { apiKey: caller.account.apiKey, id, fields: { endUserId } });
    return expectIsolated(pathResource(definition), call);
  },
  "by a session in its body": (definition) => {
    const [, resource] = fieldResources(definition).find(([name]) => name === "sessionId") ?? [];
    if (!resource) throw new Error("There is no such field.");
    const call = (endUserId: string | undefined, sessionId: string) =>
      callEndpoint(definition, { apiKey: caller.account.apiKey, fields: { endUserId, sessionId } });
    return expectIsolated(resource, call);
  },
  "by what it shows": async (definition) => {
    const [{ api }, { account }] = [caller, caller];
    const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Hello", endUserId: OWNER });
    await api.waitUntilDone(`/chat/${body.sessionId}`);
    const shown = async (endUserId: string) =>
      (await callEndpoint(definition, { apiKey: account.apiKey, fields: { endUserId } })).body;
    expect(await shown(OTHER)).toEqual(await shown(UNSEEN));
  },
  "by what it starts": async (definition) => {
    const { apiKey } = caller.account;
    const { status, body } = await callEndpoint(definition, { apiKey, fields: { endUserId: OWNER } });
    expect(status).toBe(definition.response.status);
    const started = (Array.isArray(body) ? body : [body]) as { sessionId: string }[];
    for (const { sessionId } of started) {
      expect((await caller.api.get(`/chat/${sessionId}?endUserId=${OTHER}`)).status).toBe(404);
      expect((await caller.api.get(`/chat/${sessionId}?endUserId=${OWNER}`)).status).toBe(200);
    }
  },
};

type Answer = Awaited<ReturnType<typeof callEndpoint>>;

async function expectIsolated(
  resource: ReturnType<typeof pathResource>,
  call: (endUserId: string | undefined, sessionId: string) => Promise<Answer>,
): Promise<void> {
  // Of two: what reaches one may delete it.
  const [owned, alsoOwned] = [
    await resource.make(caller, { endUserId: OWNER }),
    await resource.make(caller, { endUserId: OWNER }),
  ];
  const nobodys = await resource.make(caller);
  const missing = await call(OTHER, resource.missing());
  expectError(missing, "NOT_FOUND");
  for (const answer of [await call(OTHER, owned), await call(OTHER, nobodys)]) {
    expectError(answer, "NOT_FOUND");
    expect(withoutRequestId(answer)).toEqual(withoutRequestId(missing));
  }
  expect((await call(OWNER, owned)).status, "its own end user reaches it").not.toBe(404);
  expect((await call(undefined, alsoOwned)).status, "the client itself reaches it").not.toBe(404);
}

for (const definition of ENDPOINTS.filter(knowsEndUsers)) {
  const isolation = isolationOf(definition);
  test(`${endpointName(definition)} keeps end users apart ${isolation}`, () => CHECKS[isolation](definition));
}

test("every endpoint that reaches a session knows end users", () => {
  const sessions = ENDPOINTS.filter(({ path }) => /:sessionId|\/process\/:id/.test(path));
  expect(sessions.length).toBeGreaterThan(0);
  expect(sessions.filter((definition) => !knowsEndUsers(definition)).map(endpointName)).toEqual([]);
});

function knowsEndUsers({ query, body }: EndpointDefinition): boolean {
  return [...namesOf(query), ...namesOf(body?.schema)].includes("endUserId");
}
