import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { limitEndUser, limitKey, limitProject, setTokensUsed } from "@/e2e/api/support/account-states";
import { type Caller, callEndpoint, pathResource } from "@/e2e/api/support/endpoint-requests";
import { expectError } from "@/e2e/api/support/expect-error";
import { newCaller } from "@/e2e/support/suite";
import { errorCodesOf } from "@/lib/contracts/describe-endpoint";
import { type EndpointDefinition, endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { prisma } from "@/lib/db/prisma";
import { PLANS } from "@/lib/domain/plans";

/** Made from the list of endpoints: what starts work or creates × what it must not accept. */

/** One call that would be accepted. @param made fields of what its path names */
async function acceptableCall(definition: EndpointDefinition, caller: Caller, made?: Record<string, string>) {
  const id = definition.params ? await pathResource(definition).make(caller, made) : undefined;
  return { apiKey: caller.account.apiKey, id, fields: { sessionId: undefined } };
}

const CHARGED = ENDPOINTS.filter((definition) => errorCodesOf(definition).includes("INSUFFICIENT_CREDITS"));

for (const definition of CHARGED) {
  test.describe(endpointName(definition), () => {
    test("402 INSUFFICIENT_CREDITS without credits", async () => {
      const call = await acceptableCall(definition, await newCaller({ credits: 0 }));
      expectError(await callEndpoint(definition, call), "INSUFFICIENT_CREDITS");
    });

    test("402 TOKEN_LIMIT_REACHED when the plan's tokens are used", async () => {
      const caller = await newCaller({ planId: "starter" });
      await setTokensUsed(caller.account, PLANS.starter.tokensPerMonth);
      const call = await acceptableCall(definition, caller);
      expectError(await callEndpoint(definition, call), "TOKEN_LIMIT_REACHED");
    });

    test("402 END_USER_LIMIT_REACHED when the end user has used what the project allows", async () => {
      const caller = await newCaller();
      await limitEndUser(caller.account, "ada");
      const { fields, ...call } = await acceptableCall(definition, caller, { endUserId: "ada" });
      const answer = await callEndpoint(definition, { ...call, fields: { ...fields, endUserId: "ada" } });
      expectError(answer, "END_USER_LIMIT_REACHED");
    });

    test("402 KEY_LIMIT_REACHED when the key has used what it may", async () => {
      const caller = await newCaller();
      await limitKey(caller.account);
      const call = await acceptableCall(definition, caller);
      expectError(await callEndpoint(definition, call), "KEY_LIMIT_REACHED");
    });

    test("402 PROJECT_LIMIT_REACHED when the project has used what it may", async () => {
      const caller = await newCaller();
      await limitProject(caller.account);
      const call = await acceptableCall(definition, caller);
      expectError(await callEndpoint(definition, call), "PROJECT_LIMIT_REACHED");
    });
  });
}

test("whatever is accepted with 202 to be worked on is charged", () => {
  const working = ENDPOINTS.filter(({ response, permission }) => response.status === 202 && permission !== null);
  expect(working.map(endpointName)).toEqual(CHARGED.map(endpointName));
});

for (const definition of ENDPOINTS.filter(({ isIdempotent }) => isIdempotent)) {
  test.describe(`${endpointName(definition)} with an Idempotency-Key`, () => {
    test("repeats its answer; 409 while it runs; 422 for another call; 400 for a key that is none", async () => {
      const caller = await newCaller();
      const call = await acceptableCall(definition, caller);
      const key: string = randomUUID();
      const send = (fields: Record<string, string | undefined> = {}, idempotencyKey = key) =>
        callEndpoint(definition, {
          ...call,
          fields: { ...call.fields, ...fields },
          headers: { "idempotency-key": idempotencyKey },
        });
      const first = await send();
      expect(first.status, JSON.stringify(first.body)).toBe(definition.response.status);
      const again = await send();
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");

      expectError(await anotherCall(definition, caller, call, key), "IDEMPOTENCY_KEY_REUSED");
      const where = { projectId_key: { projectId: caller.account.projectId, key } };
      await prisma().idempotencyKey.update({ where, data: { state: "running" } });
      expectError(await send(), "IDEMPOTENCY_IN_PROGRESS");
      expectError(await send({}, ""), "VALIDATION_FAILED", { param: "Idempotency-Key" });
    });
  });
}

/** The same key with another text in the body, or, where there is no body, for another resource. */
async function anotherCall(
  definition: EndpointDefinition,
  caller: Caller,
  call: Awaited<ReturnType<typeof acceptableCall>>,
  key: string,
) {
  const headers = { "idempotency-key": key };
  const example = Object.entries((definition.body?.example as Record<string, unknown> | undefined) ?? {});
  const [name, text] = example.find(([, value]) => typeof value === "string") ?? [];
  if (name !== undefined) {
    return callEndpoint(definition, { ...call, headers, fields: { ...call.fields, [name]: `${text}-again` } });
  }
  if (!definition.params) throw new Error(`Say what another call of ${endpointName(definition)} is.`);
  return callEndpoint(definition, { ...call, headers, id: await pathResource(definition).make(caller) });
}
