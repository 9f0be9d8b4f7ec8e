import { expect, test } from "playwright/test";
import { pathOf } from "@/e2e/api/support/endpoint-requests";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { rawRequest } from "@/e2e/api/support/raw-request";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { type EndpointDefinition, endpointName, endpointPath } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

interface CatalogEntry {
  method: string;
  path: string;
  permission: string | null;
  auth: string;
  parameters: { name: string; in: string; required: boolean }[];
  headers: { name: string; in: string }[];
  responses: { status: number; codes?: string[] }[];
}

interface Catalog {
  version: string;
  baseUrl: string;
  endpoints: CatalogEntry[];
}

async function readCatalog(): Promise<Catalog> {
  const { api } = await newCaller();
  return (await api.get<Catalog>("/docs")).body;
}

test.describe("GET /docs 200", () => {
  test("is the catalog with version and address", async () => {
    const { api } = await newCaller();
    const { status, headers, body } = await api.get<Catalog>("/docs");
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(body.version).toBe("1.0.0");
    expect(body.baseUrl).toBe(`${suite.url}/api/v1`);
    expect(body.endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(ENDPOINTS.map(endpointName));
  });

  test("names the permission, parameters, headers and responses of each", async () => {
    const { endpoints } = await readCatalog();
    const entryOf = (name: string) => endpoints.find(({ method, path }) => `${method} ${path}` === name);
    const start = entryOf("POST /process");
    expect(start?.permission).toBe("process");
    expect(start?.parameters.find(({ name }) => name === "file")).toMatchObject({ in: "file", required: true });
    expect(start?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["file", "prompt", "templateId", "templateVars", "endUserId", "callbackUrl"]),
    );
    expect(start?.responses.map(({ status }) => status)).toEqual(
      expect.arrayContaining([202, 400, 401, 402, 403, 404, 413, 415, 429]),
    );
    const list = entryOf("GET /chat/sessions");
    expect(list?.parameters.map(({ name }) => name).sort()).toEqual([
      "endUserId",
      "limit",
      "offset",
      "reference",
      "status",
    ]);
    expect(entryOf("GET /health")).toMatchObject({ auth: "none", permission: null });
    for (const { auth, headers, path } of endpoints) {
      expect(
        headers.some(({ name }) => name === "X-API-Key"),
        path,
      ).toBe(auth === "key");
      expect(
        headers.some(({ name, in: place }) => name === "X-Request-Id" && place === "response"),
        path,
      ).toBe(true);
    }
  });

  test("lists no endpoint that the server does not serve", async () => {
    const byPath = new Map(ENDPOINTS.map((definition) => [endpointPath(definition), definition]));
    for (const definition of byPath.values()) {
      const { status, headers } = await rawRequest({ method: "OPTIONS", path: pathOf(definition, "none") });
      expect(status, endpointPath(definition)).toBe(204);
      for (const { method } of endpointsAt(definition)) expect(headers.get("allow")).toContain(method);
    }
  });

  test("is there for a key of any permission", async () => {
    const { api } = await newCaller();
    expect((await api.get("/docs")).status).toBe(200);
  });
});

test("GET /docs 401 without a key", async () => {
  expectError(await apiClient(suite.url).get("/docs"), "MISSING_API_KEY");
});

function endpointsAt(definition: EndpointDefinition) {
  return ENDPOINTS.filter((other) => endpointPath(other) === endpointPath(definition));
}
