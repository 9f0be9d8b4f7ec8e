import {
  errorsByStatus,
  requestContentTypesOf,
  requestHeadersOf,
  responseHeadersOf,
  successResponsesOf,
} from "@/lib/contracts/describe-endpoint";
import type { Catalog, CatalogEndpoint } from "@/lib/contracts/docs";
import {
  API_PREFIX,
  API_VERSION,
  type EndpointDefinition,
  endpointName,
  endpointPath,
} from "@/lib/contracts/endpoint-definition";
import type { HealthResponse } from "@/lib/contracts/health";
import { type JsonSchema, toJsonSchema } from "@/lib/contracts/json-schema";

/** The catalog of `GET /docs` (§4.6, contract §7). `hostUrl` is {host_url}, without a trailing slash. */
export function makeCatalog(definitions: readonly EndpointDefinition[], hostUrl: string): Catalog {
  return {
    version: API_VERSION,
    baseUrl: hostUrl + API_PREFIX,
    endpoints: definitions.map((each) => describe(each, hostUrl)),
  };
}

/** What `GET /health` says (§4.1). */
export function makeHealth(definitions: readonly EndpointDefinition[]): HealthResponse {
  const endpoints = definitions.map((definition) => [endpointName(definition), definition.summary]);
  return { status: "ok", version: API_VERSION, endpoints: Object.fromEntries(endpoints) };
}

function describe(definition: EndpointDefinition, hostUrl: string): CatalogEndpoint {
  const { method, path, operationId, summary, description, auth, permission } = definition;
  return {
    method,
    path,
    url: hostUrl + endpointPath(definition),
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    auth,
    permission,
    requestContentTypes: requestContentTypesOf(definition),
    parameters: parametersOf(definition),
    headers: headersOf(definition),
    responses: responsesOf(definition),
  };
}

function parametersOf({ params, query, body }: EndpointDefinition): CatalogEndpoint["parameters"] {
  const parameters = [
    ...(params ? fieldsOf(params, "path") : []),
    ...(query ? fieldsOf(query, "query") : []),
    ...(body ? fieldsOf(body.schema, "body") : []),
  ];
  if (!body || body.kind === "json") return parameters;
  // Of an upload that may come instead, the description tells: the specification has the file alone.
  const { field, isRequired, description } = body.file;
  return [
    { name: field, in: "file", required: isRequired, description, schema: { type: "string", format: "binary" } },
    ...parameters,
  ];
}

function fieldsOf(
  schema: Parameters<typeof toJsonSchema>[0],
  place: "path" | "query" | "body",
): CatalogEndpoint["parameters"] {
  const { properties = {}, required = [] } = toJsonSchema(schema, "input", "#/").schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(typeof description === "string" ? { description } : {}),
    schema: rest,
  }));
}

function headersOf(definition: EndpointDefinition): CatalogEndpoint["headers"] {
  const key = {
    name: "X-API-Key",
    in: "request" as const,
    required: true,
    description: "The API key; or Authorization: Bearer <key>.",
  };
  return [
    ...(definition.auth === "key" ? [key] : []),
    ...requestHeadersOf(definition).map(({ name, description, isRequired = false }) => ({
      name,
      in: "request" as const,
      required: isRequired,
      description,
    })),
    ...responseHeadersOf(definition, definition.response.status).map(({ name, description, isRequired = true }) => ({
      name,
      in: "response" as const,
      required: isRequired,
      description,
    })),
  ];
}

function responsesOf(definition: EndpointDefinition): CatalogEndpoint["responses"] {
  const successes = successResponsesOf(definition).map(({ status, description, schema, contentType }) => ({
    status,
    description,
    ...(schema || contentType ? { contentType: contentType ?? "application/json" } : {}),
  }));
  const errors = [...errorsByStatus(definition)].map(([status, codes]) => ({
    status,
    description: "The call was refused or failed.",
    contentType: "application/json",
    codes,
  }));
  return [...successes, ...errors];
}
