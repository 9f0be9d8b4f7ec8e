import { expect, test } from "playwright/test";
import { type Caller, pathOf, pathResource } from "@/e2e/api/support/endpoint-requests";
import { expectError } from "@/e2e/api/support/expect-error";
import { newCaller } from "@/e2e/support/suite";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { type JsonSchema, toJsonSchema } from "@/lib/contracts/json-schema";
import { NO_NUL_PATTERN } from "@/lib/domain/limits";

/** Made from the list of endpoints: each parameter of a query × values that do not fit what the document says of it. */

let caller: Caller;

test.beforeAll(async () => {
  caller = await newCaller();
});

/** Values that the parameter must refuse. @throws Error for a kind of parameter that is not known here */
function wrongValues(name: string, { type, enum: listed, pattern, maxLength, minimum, maximum }: JsonSchema): string[] {
  const values = [
    ...(listed ? ["nonsense", ""] : []),
    ...(type === "integer" ? ["x", "1.5", ""] : []),
    ...(typeof minimum === "number" ? [String(minimum - 1)] : []),
    ...(typeof maximum === "number" ? [String(maximum + 1)] : []),
    ...(typeof pattern === "string" ? [pattern === NO_NUL_PATTERN ? "x\0y" : "../x y"] : []),
    ...(typeof maxLength === "number" ? ["x".repeat(maxLength + 1)] : []),
  ];
  if (values.length === 0) throw new Error(`Say what a wrong value of the parameter ${name} is, in wrongValues.`);
  return values;
}

for (const definition of ENDPOINTS.filter(({ query }) => query !== undefined)) {
  const { query, method } = definition;
  const properties = query ? (toJsonSchema(query, "input", "#/").schema.properties as Record<string, JsonSchema>) : {};

  test.describe(endpointName(definition), () => {
    for (const [name, schema] of Object.entries(properties)) {
      test(`400 VALIDATION_FAILED for a wrong ${name}, which it names`, async () => {
        const id = definition.params ? pathResource(definition).missing() : "";
        const fitting = String(schema.default ?? (schema.enum as string[] | undefined)?.[0] ?? "1");
        const searches = wrongValues(name, schema).map((value) => [[name, value]]);
        for (const search of [
          ...searches,
          [
            [name, fitting],
            [name, fitting],
          ],
        ]) {
          const path = `/${pathOf(definition, id)}?${new URLSearchParams(search)}`;
          const response = await caller.api.fetch(path, { method });
          const { status, headers } = response;
          const body = (await response.json()) as Record<string, unknown>;
          expectError({ status, headers, body }, "VALIDATION_FAILED", { param: name });
        }
      });
    }

    test("leaves a parameter alone that it does not know", async () => {
      const id = definition.params ? pathResource(definition).missing() : "";
      const response = await caller.api.fetch(`/${pathOf(definition, id)}?utm_source=x`, { method });
      const text = await response.text();
      expect(text).not.toContain("utm_source");
    });
  });
}
