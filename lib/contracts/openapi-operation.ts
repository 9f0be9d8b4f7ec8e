import { errorsByStatus, successResponsesOf } from "@/lib/contracts/describe-endpoint";
import type { EndpointDefinition } from "@/lib/contracts/endpoint-definition";
import { type JsonSchema, toJsonSchema, type UseSchema } from "@/lib/contracts/json-schema";
import { failure, success } from "@/lib/contracts/openapi-answers";
import { parametersOf, requestBody } from "@/lib/contracts/openapi-request";

const SCHEMAS = "#/components/schemas/";

/** One operation of the OpenAPI document; puts the schemas that it refers to into `schemas`. */
export function makeOperation(definition: EndpointDefinition, schemas: Record<string, JsonSchema>): JsonSchema {
  const use: UseSchema = (schema, io) => {
    const document = toJsonSchema(schema, io, SCHEMAS);
    Object.assign(schemas, document.definitions);
    return document.schema;
  };
  const parameters = parametersOf(definition, use);
  return {
    operationId: definition.operationId,
    tags: definition.tags,
    summary: definition.summary,
    description: describe(definition),
    ...(definition.auth === "none" ? { security: [] } : {}),
    ...(definition.permission === null ? {} : { "x-permission": definition.permission }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(definition.body ? { requestBody: requestBody(definition, definition.body, use) } : {}),
    responses: {
      ...Object.fromEntries(
        successResponsesOf(definition).map((response) => [response.status, success(definition, response, use)]),
      ),
      ...Object.fromEntries(
        [...errorsByStatus(definition)].map(([status, codes]) => [status, failure(definition, status, codes, use)]),
      ),
    },
  };
}

function describe({ description, summary, permission, auth }: EndpointDefinition): string {
  const needs =
    auth === "none"
      ? "Needs no key."
      : permission === null
        ? "Any valid key."
        : `Needs the permission \`${permission}\`.`;
  return `${description ?? summary} ${needs}`;
}
