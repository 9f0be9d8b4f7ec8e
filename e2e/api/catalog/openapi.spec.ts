import { expect, test } from "playwright/test";
import { expectCommonHeaders } from "@/e2e/api/support/expect-error";
import { apiClient } from "@/e2e/support/api-client";
import { suite } from "@/e2e/support/suite";
import { endpointPath } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

type Json = Record<string, unknown>;

async function readDocument() {
  const response = await apiClient(suite.url).get<{
    openapi: string;
    paths: Record<string, Json>;
    servers: Json[];
    components: Json;
  }>("/openapi.json");
  expect(response.status).toBe(200);
  return response;
}

/** Every value of `$ref` in a document. */
function refsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => (name === "$ref" ? [String(item)] : refsOf(item)));
}

function resolve(document: unknown, ref: string): unknown {
  return ref
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>(
      (at, part) => (at as Json | undefined)?.[part.replaceAll("~1", "/").replaceAll("~0", "~")],
      document,
    );
}

test.describe("GET /openapi.json 200", () => {
  test("needs no key and is OpenAPI 3.1", async () => {
    const { headers, body } = await readDocument();
    expectCommonHeaders(headers);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body.openapi).toMatch(/^3\.1\.\d$/);
    expect(JSON.stringify(body.servers)).toContain(suite.url);
  });

  test("holds every endpoint, with an operation id of its own", async () => {
    const { body } = await readDocument();
    const operations = Object.entries(body.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => ["get", "post", "put", "patch", "delete"].includes(method))
        .map(([method, operation]) => ({
          path,
          method: method.toUpperCase(),
          ...(operation as { operationId: string }),
        })),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(ENDPOINTS.length);
    for (const definition of ENDPOINTS) {
      const found = operations.find(({ operationId }) => operationId === definition.operationId);
      expect(found?.method).toBe(definition.method);
      expect(endpointPath(definition).replace(/:(\w+)/g, "{$1}")).toContain(found?.path);
    }
  });

  test("refers to nothing that is not in it", async () => {
    const { body } = await readDocument();
    const refs = refsOf(body);
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of new Set(refs)) expect(resolve(body, ref), ref).toBeDefined();
  });
});
