import { expect, test } from "playwright/test";
import { type Caller, callEndpoint, fieldResources, noIds, pathResource } from "@/e2e/api/support/endpoint-requests";
import { expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { newCaller } from "@/e2e/support/suite";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { prisma } from "@/lib/db/prisma";

/** Made from the list of endpoints: a new one is tested as soon as it is there, and fails until it can be filled. */

let mine: Caller;
let other: Caller;

test.beforeAll(async () => {
  [mine, other] = await Promise.all([newCaller(), newCaller()]);
});

const KEYED = ENDPOINTS.filter(({ auth }) => auth === "key");

test.describe("an id in the path", () => {
  for (const definition of KEYED.filter(({ params }) => params !== undefined)) {
    test(`of another account is, to ${endpointName(definition)}, as one that nobody has`, async () => {
      const resource = pathResource(definition);
      const [foreign, missing] = [await resource.make(other), resource.missing()];
      const { apiKey } = mine.account;
      const answers = [
        await callEndpoint(definition, { apiKey, id: missing }),
        await callEndpoint(definition, { apiKey, id: foreign }),
        await callEndpoint(definition, { apiKey, id: "nonsense" }),
        await callEndpoint(definition, { apiKey, id: `${foreign}'--` }),
      ];
      for (const answer of answers) {
        expectError(answer, "NOT_FOUND");
        expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] as (typeof answers)[number]));
      }
      const own = await callEndpoint(definition, { apiKey: other.account.apiKey, id: foreign });
      expect(own.status, "its owner still reaches it").not.toBe(404);
    });
  }
});

test.describe("an id in a body or query", () => {
  for (const definition of KEYED) {
    for (const [field, resource] of fieldResources(definition)) {
      test(`${field} of another account is, to ${endpointName(definition)}, as one that nobody has`, async () => {
        const id = definition.params ? await pathResource(definition).make(mine) : undefined;
        const { apiKey } = mine.account;
        const call = (value: string) => {
          const fields = { ...noIds(definition), [field]: value };
          return callEndpoint(definition, { apiKey, fields, ...(id !== undefined && { id }) });
        };
        const [foreign, missing] = [await call(await resource.make(other)), await call(resource.missing())];
        if (definition.method === "GET") {
          expect(foreign.status).toBe(200);
          expect(foreign.body).toEqual(missing.body);
          return;
        }
        expectError(missing, "NOT_FOUND");
        expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing));
      });
    }
  }
});

test.describe("lists", () => {
  for (const definition of KEYED.filter(({ method, params }) => method === "GET" && params === undefined)) {
    test(`${endpointName(definition)} shows nothing of another account`, async () => {
      const [owner, stranger] = await Promise.all([newCaller(), newCaller()]);
      await Promise.all(
        KEYED.filter(({ params }) => params !== undefined).map((each) => pathResource(each).make(owner)),
      );
      const seen = JSON.stringify((await callEndpoint(definition, { apiKey: stranger.account.apiKey })).body);
      const sessions = await prisma().session.findMany({ where: { projectId: owner.account.projectId } });
      const templates = await prisma().template.findMany({ where: { projectId: owner.account.projectId } });
      expect(sessions.length * templates.length).toBeGreaterThan(0);
      for (const { id } of [...sessions, ...templates]) expect(seen).not.toContain(id);
      expect(seen).not.toContain(owner.account.accountId);
    });
  }
});
