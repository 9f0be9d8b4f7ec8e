import { expect, test } from "playwright/test";
import { pathOf } from "@/e2e/api/support/endpoint-requests";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { rawRequest } from "@/e2e/api/support/raw-request";
import { newCaller } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { type EndpointDefinition, endpointPath } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A path that a parameter of another path would match too is that path's: `/chat/sessions` is no session. */
const PATHS = [...new Map(ENDPOINTS.map((definition) => [endpointPath(definition), definition])).values()];

function methodsOf(path: string): string[] {
  return ENDPOINTS.filter((definition) => endpointPath(definition) === path).map(({ method }) => method);
}

function allowOf(path: string): string[] {
  const methods = methodsOf(path);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
}

const readAllow = (headers: Headers) => (headers.get("allow") ?? "").split(", ").sort();

let account: TestAccount;

test.beforeAll(async () => {
  ({ account } = await newCaller());
});

function send(definition: EndpointDefinition, method: string, headers: Record<string, string> = {}) {
  return rawRequest({ method, path: pathOf(definition, "none"), headers });
}

for (const definition of PATHS) {
  const path = endpointPath(definition);
  test.describe(path, () => {
    for (const method of METHODS.filter((name) => !methodsOf(path).includes(name))) {
      test(`405 for ${method}, with the methods that it takes, key or not`, async () => {
        for (const headers of [{}, { "x-api-key": account.apiKey }]) {
          const response = await send(definition, method, headers as Record<string, string>);
          expectError(response, "METHOD_NOT_ALLOWED", { message: method });
          expect(readAllow(response.headers)).toEqual(allowOf(path));
        }
      });
    }

    test("OPTIONS says which methods there are", async () => {
      const response = await send(definition, "OPTIONS");
      expect(response.status).toBe(204);
      expectCommonHeaders(response.headers);
      expect(readAllow(response.headers)).toEqual(allowOf(path));
    });

    test("HEAD answers as GET does, without a body", async () => {
      const headers = { "x-api-key": account.apiKey };
      const head = await send(definition, "HEAD", headers);
      expect(head.body).toEqual({});
      expectCommonHeaders(head.headers);
      const isReadable = methodsOf(path).includes("GET");
      const like = isReadable ? await send(definition, "GET", headers) : { status: 405 };
      expect(head.status).toBe(like.status);
    });
  });
}
