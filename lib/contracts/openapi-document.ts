import { RESPONSE_HEADERS } from "@/lib/contracts/describe-endpoint";
import { API_PREFIX, API_VERSION, type EndpointDefinition } from "@/lib/contracts/endpoint-definition";
import type { JsonSchema } from "@/lib/contracts/json-schema";
import { headerObject } from "@/lib/contracts/openapi-answers";
import { makeOperation } from "@/lib/contracts/openapi-operation";
import { makeWebhooks } from "@/lib/contracts/openapi-webhooks";

export interface OpenApiSettings {
  /** {host_url}, without a trailing slash. */
  hostUrl: string;
  /** Whom to ask: a page or a mailbox; the service itself where nobody is named. */
  contact?: { url: string } | { email: string };
  serviceName: string;
}

const TAGS = [
  { name: "Process", description: "A file and an instruction; the AI answers in the background." },
  { name: "Chat", description: "Conversations by messages, polled or streamed." },
  { name: "Hybrid send", description: "Files and messages through one endpoint, to new sessions and existing ones." },
  { name: "Templates", description: "Reusable prompts with variables, used by `templateId` instead of a prompt." },
  { name: "Account", description: "Credits, plan, limits, and what was used." },
  { name: "Webhooks", description: "Receivers that are told of what happens." },
  { name: "Service", description: "Health, catalog and this document." },
];

const DESCRIPTION = [
  "AI jobs over HTTP: send a message or a file with an instruction, and get the result by polling, by stream or by a",
  "signed callback. Every answer carries `X-Request-Id`; every error has the same shape. No text takes the NUL character.",
].join(" ");

/** The API as an OpenAPI 3.1 document, made from the definitions that the routes run on. */
export function makeOpenApi(definitions: readonly EndpointDefinition[], settings: OpenApiSettings): JsonSchema {
  const schemas: Record<string, JsonSchema> = {};
  const paths: Record<string, JsonSchema> = {};
  for (const definition of definitions) {
    const path = definition.path.replace(/:([A-Za-z]\w*)/g, "{$1}");
    const elsewhere = definition.root === "host" ? { servers: [{ url: settings.hostUrl }] } : {};
    const operation = makeOperation(definition, schemas);
    paths[path] = { ...elsewhere, ...paths[path], [definition.method.toLowerCase()]: operation };
  }
  const webhooks = makeWebhooks(schemas);
  const usedTags = new Set(definitions.flatMap(({ tags }) => tags));
  return {
    openapi: "3.1.0",
    info: {
      title: settings.serviceName,
      version: API_VERSION,
      description: DESCRIPTION,
      contact: { name: settings.serviceName, ...(settings.contact ?? { url: settings.hostUrl }) },
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: settings.hostUrl + API_PREFIX }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: TAGS.filter(({ name }) => usedTags.has(name)),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "The API key, `bld_` and 32 characters.",
        },
        bearer: { type: "http", scheme: "bearer", description: "The same key as `Authorization: Bearer <key>`." },
      },
      headers: Object.fromEntries(RESPONSE_HEADERS.map((header) => [header.name, headerObject(header)])),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b))),
    },
  };
}
