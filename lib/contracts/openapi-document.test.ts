import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020";
import { describe, expect, it } from "vitest";
import { makeCatalog, makeHealth } from "@/lib/contracts/catalog";
import { catalog } from "@/lib/contracts/docs";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { makeOpenApi } from "@/lib/contracts/openapi-document";
import { SESSION_STATUSES } from "@/lib/domain/session-status";

const HOST = "https://service.test";

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: unknown[];
  "x-permission"?: string;
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown>; example?: unknown }> };
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Media> }>;
}

interface Media {
  schema: Record<string, unknown>;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  security: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Record<string, unknown>>>;
}

// What a client gets is what the text says, not what the object says.
const document = JSON.parse(
  JSON.stringify(makeOpenApi(ENDPOINTS, { hostUrl: HOST, serviceName: "Service" })),
) as Document;

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    // Endpoints outside the API's root name their server beside their methods.
    .filter(([method]) => method !== "servers")
    .map(([method, operation]) => ({ path, method, operation })),
);

function operation(method: string, path: string): Operation {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`${method} ${path} is not in the document.`);
  return found;
}

const formats = { "date-time": true, date: true, uri: true, binary: true, int64: true } as const;
const validator = new Ajv2020({ strict: false, formats }).addSchema(document, "openapi");

/** Checks a value against a schema of the document, references resolved. */
function mismatch(schema: Record<string, unknown>, value: unknown): string | null {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
  const key = createHash("sha256").update(text).digest("hex");
  const validate = validator.getSchema(key) ?? validator.addSchema(JSON.parse(text), key).getSchema(key);
  return validate?.(value) ? null : validator.errorsText(validate?.errors);
}

/** The schemas in it that name an object's fields. */
function objectsIn(part: unknown): object[] {
  if (typeof part !== "object" || part === null) return [];
  const inside = Object.values(part).flatMap(objectsIn);
  return "properties" in part && "type" in part && part.type === "object" ? [part, ...inside] : inside;
}

/** The schemas in it that take text of any kind: neither one of a few words nor bytes. */
function textsIn(part: unknown): object[] {
  if (typeof part !== "object" || part === null) return [];
  // An example of a schema is no schema of ours.
  const { type, examples: _, ...rest } = part as { type?: unknown; examples?: unknown };
  const inside = Object.values(rest).flatMap(textsIn);
  const isText = [type].flat().includes("string") && !("enum" in rest || "const" in rest || "contentMediaType" in rest);
  return isText ? [part, ...inside] : inside;
}

describe("makeOpenApi", () => {
  it("is a document of version 3.1 with the service's address and both ways to send a key", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers).toEqual([{ url: `${HOST}/api/v1` }]);
    expect(document.security).toEqual([{ apiKey: [] }, { bearer: [] }]);
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      bearer: { type: "http", scheme: "bearer" },
    });
  });

  it("has each endpoint once, with an id of its own", () => {
    expect(operations).toHaveLength(ENDPOINTS.length);
    expect(new Set(operations.map((entry) => entry.operation.operationId)).size).toBe(ENDPOINTS.length);
  });

  it("names the host as the server of what lies outside the API's root, and of nothing else", () => {
    const outside = ENDPOINTS.filter(({ root }) => root === "host");
    expect(outside.length).toBeGreaterThan(0);
    const expected = outside.map(({ path }) => [path.replace(/:(\w+)/g, "{$1}"), [{ url: HOST }]]);
    const named = Object.entries(document.paths).flatMap(([path, { servers }]) => (servers ? [[path, servers]] : []));
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(expected));
  });

  it("resolves every reference and uses every schema", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? "");
    for (const reference of references) {
      const [, part = "", group = "", name = ""] = reference.split("/");
      expect(part).toBe("components");
      expect(document.components[group]?.[name], reference).toBeDefined();
    }
    const used = new Set(references.map((reference) => reference.split("/").at(-1)));
    for (const group of ["schemas", "headers"]) {
      for (const name of Object.keys(document.components[group] ?? {})) expect(used.has(name), name).toBe(true);
    }
  });

  it("holds no draft's leftovers: no $schema, $defs or id", () => {
    expect(JSON.stringify(document)).not.toMatch(/"\$(schema|defs|id)"/);
  });

  it.each(operations)(
    "$method $path is described, tagged and answers as OpenAPI wants it",
    ({ path, operation: entry }) => {
      expect(entry.summary).toMatch(/\.$/);
      expect(entry.description).toBeTruthy();
      const known = document.tags.map((tag) => tag.name);
      expect(entry.tags.length).toBeGreaterThan(0);
      for (const tag of entry.tags) expect(known).toContain(tag);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (entry.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(declared.map((parameter) => parameter.name)).toEqual(inPath);
      expect(declared.every((parameter) => parameter.required)).toBe(true);
      expect(Object.keys(entry.responses).some((status) => status.startsWith("2"))).toBe(true);
      for (const [status, response] of Object.entries(entry.responses)) {
        expect(status).toMatch(/^[2-5]\d\d$/);
        expect(response.description).toBeTruthy();
        expect(response.headers).toHaveProperty("X-Request-Id");
      }
    },
  );

  it.each(operations)("$method $path has examples that fit its schemas", ({ operation: entry }) => {
    const media = [
      ...Object.values(entry.requestBody?.content ?? {}),
      ...Object.values(entry.responses).flatMap((response) => Object.values(response.content ?? {})),
    ] as Media[];
    for (const { schema, example, examples = {} } of media) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      for (const value of values) expect(mismatch(schema, value)).toBeNull();
    }
  });

  it("asks for a key everywhere but at health, at links and at itself", () => {
    const open = operations.filter(({ operation: entry }) => entry.security?.length === 0);
    expect(open.map(({ path }) => path)).toEqual([
      "/health",
      "/health/live",
      "/health/ready",
      "/streams/{ticket}",
      "/openapi.json",
    ]);
  });

  it("words an upload as a form with a file", () => {
    const form = operation("post", "/process").requestBody?.content["multipart/form-data"]?.schema;
    expect(form).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: { file: { type: "string", format: "binary" }, prompt: { maxLength: 100_000 } },
    });
  });

  it("says of forms that a field or another has to be there", () => {
    const { schema } = operation("post", "/process").requestBody?.content["multipart/form-data"] ?? { schema: {} };
    expect(mismatch(schema, { file: "bytes", prompt: "Sum up." })).toBeNull();
    expect(mismatch(schema, { uploadId: "upl_1", templateId: "tpl_1" })).toBeNull();
    expect(mismatch(schema, { prompt: "Sum up." })).not.toBeNull();
    expect(mismatch(schema, { file: "bytes" })).not.toBeNull();
    const { schema: batch } = operation("post", "/process/batch").requestBody?.content["multipart/form-data"] ?? {
      schema: {},
    };
    expect(mismatch(batch, { file: ["bytes"], templateId: "tpl_1" })).toBeNull();
    expect(mismatch(batch, { file: ["bytes"] })).not.toBeNull();
    expect(mismatch(batch, { prompt: "Sum up." })).not.toBeNull();
  });

  it("puts no choice beside an object's fields: generators make of it that anything may be sent", () => {
    expect(objectsIn(document).filter((part) => "anyOf" in part || "oneOf" in part || "allOf" in part)).toEqual([]);
  });

  it.each([
    ["post", "/chat", { endUserId: "customer-42" }],
    ["post", "/b2b/send", { sessionId: "ses_1" }],
    ["post", "/templates", { name: " ", promptTemplate: "Hello." }],
    ["post", "/templates", { name: "Greeting", promptTemplate: "Hello.", variables: { ["n".repeat(201)]: "" } }],
    ["put", "/templates/{id}", {}],
    ["post", "/chat", { message: "Hello.", endUserId: "a..b" }],
    ["post", "/chat", { message: "Hello.", endUserId: "a".repeat(129) }],
  ])("says of %s %s with %j that it is refused", (method, path, body) => {
    const { schema } = operation(method, path).requestBody?.content["application/json"] ?? { schema: {} };
    expect(mismatch(schema, body)).not.toBeNull();
  });

  it("has no pattern that looks ahead or behind: validators in Go take none", () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":"([^"]*)"/g)].map(([, pattern]) => pattern);
    expect(patterns.filter((pattern) => pattern?.match(/\(\?[=!<]/))).toEqual([]);
  });

  it("says of every text that a client sends that NUL is refused", () => {
    const texts = operations.flatMap(({ operation: { parameters, requestBody } }) =>
      textsIn([parameters?.filter((parameter) => parameter.in !== "header"), requestBody]),
    );
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((text) => !("pattern" in text))).toEqual([]);
    const chat = operation("post", "/chat").requestBody?.content["application/json"]?.schema ?? {};
    expect(mismatch(chat, { message: "two\nlines" })).toBeNull();
    expect(mismatch(chat, { message: "a\0b" })).toContain("message");
    expect(mismatch(chat, { message: "x", templateVars: { a: "a\0b" } })).toContain("templateVars");
  });

  it("names the headers that files and refused keys come with, whatever the answer's status", () => {
    const { responses } = operation("get", "/process/{id}/download");
    const file = ["Accept-Ranges", "Content-Disposition", "ETag"];
    expect(Object.keys(responses[200]?.headers ?? {})).toEqual(expect.arrayContaining(file));
    expect(Object.keys(responses[206]?.headers ?? {})).toEqual(expect.arrayContaining([...file, "Content-Range"]));
    expect(Object.keys(responses[304]?.headers ?? {})).toEqual(expect.arrayContaining(file));
    expect(responses[416]?.headers).toMatchObject({ "Content-Range": {}, "Accept-Ranges": {}, ETag: {} });
    expect(responses[401]?.headers).toHaveProperty("WWW-Authenticate");
  });

  it("words query numbers as integers with their bounds and defaults", () => {
    const limit = operation("get", "/chat/sessions").parameters?.find((parameter) => parameter.name === "limit");
    expect(limit).toMatchObject({
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    });
  });

  it("says of whole numbers that may outgrow 32 bits that they are longer", () => {
    const { Account, UsageSums, ChatSession } = document.components.schemas as Record<string, Record<string, unknown>>;
    expect(UsageSums).toMatchObject({ properties: { tokensUsed: { type: "integer", format: "int64" } } });
    expect(Account).toMatchObject({ properties: { credits: { properties: { balance: { format: "int64" } } } } });
    expect(ChatSession).toMatchObject({ properties: { tokensUsed: { type: "integer", maximum: 2_147_483_647 } } });
  });

  it("names the answer of each list: clients have types that can be spoken of", () => {
    const lists = operations.filter(({ operation: { parameters } }) =>
      parameters?.some(({ name }) => name === "offset"),
    );
    const schemas = lists.map(({ operation: { responses } }) => responses[200]?.content?.["application/json"]?.schema);
    expect(schemas).toEqual(
      ["ProcessList", "ChatSessionList", "TemplateList", "TemplateVersionList"].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      })),
    );
  });

  it("lets answers grow: no answer forbids further fields", () => {
    for (const schema of Object.values(document.components.schemas ?? {}))
      expect(schema).not.toHaveProperty("additionalProperties", false);
  });

  it("gives every error the shared shape", () => {
    expect(mismatch({ $ref: "#/components/schemas/Error" }, { error: { code: "NOT_FOUND" } })).not.toBeNull();
    for (const { operation: entry } of operations) {
      for (const [status, response] of Object.entries(entry.responses)) {
        if (Number(status) < 400) continue;
        expect(response.content?.["application/json"]?.schema).toEqual({ $ref: "#/components/schemas/Error" });
      }
    }
  });

  it.each(["ChatSession", "ChatSessionListItem", "ProcessRecord", "ProcessListItem"])(
    "says what each status of a %s means, so that a client that waits knows every end",
    (name) => {
      const properties = document.components.schemas?.[name]?.properties as Record<string, { description?: string }>;
      for (const status of SESSION_STATUSES) expect(properties.status?.description).toContain(`\`${status}\``);
    },
  );

  it.each(["cancelChatSession", "cancelProcess"])("says of %s that no receiver is told", (id) => {
    const canceling = operations.find(({ operation }) => operation.operationId === id);
    expect(canceling?.operation.description).toContain("no webhook and no callback");
  });
});

describe("makeCatalog", () => {
  const made = makeCatalog(ENDPOINTS, HOST);

  it("fits its own schema", () => {
    expect(catalog.parse(JSON.parse(JSON.stringify(made)))).toEqual(made);
  });

  it("gives each its whole address: webhooks are outside of baseUrl (§4.8)", () => {
    const urlOf = (id: string) => made.endpoints.find(({ operationId }) => operationId === id)?.url;
    expect(urlOf("getChatSession")).toBe(`${HOST}/api/v1/chat/:sessionId`);
    expect(urlOf("createWebhook")).toBe(`${HOST}/b2b/partners/:partnerId/webhooks`);
  });

  it("lists every endpoint with permission, parameters and headers", () => {
    expect(made.endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(ENDPOINTS.map(endpointName));
    const process = made.endpoints.find((entry) => entry.operationId === "startProcess");
    expect(process).toMatchObject({ permission: "process", requestContentTypes: ["multipart/form-data"] });
    expect(process?.parameters.map(({ name, in: place, required }) => [name, place, required])).toContainEqual([
      "file",
      "file",
      true,
    ]);
    expect(process?.headers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["X-API-Key", "RateLimit-Limit", "X-Request-Id"]),
    );
    expect(process?.responses.map(({ status }) => status)).toEqual([
      202, 200, 400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 503,
    ]);
  });
});

describe("makeHealth", () => {
  it("summarises every endpoint", () => {
    const health = makeHealth(ENDPOINTS);
    expect(health).toMatchObject({ status: "ok", version: "1.0.0" });
    expect(Object.keys(health.endpoints)).toEqual(ENDPOINTS.map(endpointName));
  });
});
