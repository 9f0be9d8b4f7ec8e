import type { z } from "zod";
import {
  errorsByStatus,
  RESPONSE_HEADERS,
  requestContentTypesOf,
  requestHeadersOf,
  responseHeadersOf,
  successResponsesOf,
} from "@/lib/contracts/describe-endpoint";
import type {
  BodyDefinition,
  EndpointDefinition,
  HeaderDefinition,
  MultipartBodyDefinition,
  ResponseDefinition,
} from "@/lib/contracts/endpoint-definition";
import { ERROR_MEANINGS, errorResponse } from "@/lib/contracts/errors";
import { type JsonSchema, toJsonSchema } from "@/lib/contracts/json-schema";
import { ERROR_CODES, type ErrorCode } from "@/lib/domain/errors";

const SCHEMAS = "#/components/schemas/";

/** One operation of the OpenAPI document; puts the schemas that it refers to into `schemas`. */
export function makeOperation(definition: EndpointDefinition, schemas: Record<string, JsonSchema>): JsonSchema {
  const use = (schema: z.ZodType, io: "input" | "output") => {
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

type UseSchema = (schema: z.ZodType, io: "input" | "output") => JsonSchema;

function describe({ description, summary, permission, auth }: EndpointDefinition): string {
  const needs =
    auth === "none"
      ? "Needs no key."
      : permission === null
        ? "Any valid key."
        : `Needs the permission \`${permission}\`.`;
  return `${description ?? summary} ${needs}`;
}

function parametersOf(definition: EndpointDefinition, use: UseSchema): JsonSchema[] {
  const { params, query } = definition;
  return [
    ...(params ? fieldsOf(use(params, "input"), "path") : []),
    ...(query ? fieldsOf(use(query, "input"), "query") : []),
    ...requestHeadersOf(definition).map(({ name, description, type = "string", isRequired = false, example }) => ({
      name,
      in: "header",
      required: isRequired,
      description,
      schema: { type },
      ...(example === undefined ? {} : { example }),
    })),
  ];
}

function fieldsOf(schema: JsonSchema, place: "path" | "query"): JsonSchema[] {
  const { properties, required = [] } = schema as { properties: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function requestBody(definition: EndpointDefinition, body: BodyDefinition, use: UseSchema): JsonSchema {
  const example = body.example === undefined ? {} : { example: body.example };
  const schema = use(body.schema, "input");
  const content = requestContentTypesOf(definition).map((type) =>
    type === "application/json" || body.kind === "json"
      ? [type, { schema, ...example }]
      : [type, { ...multipart(schema, body), example: formExample(body) }],
  );
  const isOptional = body.kind === "json" && body.isOptional === true;
  return { required: !isOptional, content: Object.fromEntries(content) };
}

function multipart(schema: JsonSchema, { file, jsonFields = [] }: MultipartBodyDefinition): JsonSchema {
  const {
    properties,
    required = [],
    anyOf,
    ...rest
  } = schema as {
    properties: JsonSchema;
    required?: string[];
    anyOf?: JsonSchema[];
  };
  const one = {
    type: "string",
    format: "binary",
    contentMediaType: "application/octet-stream",
    description: file.description,
  };
  const many = { type: "array", items: one, minItems: 1, maxItems: file.maxFiles };
  const isOneOfTwo = file.isRequired && file.orField !== undefined;
  const allRequired = [...(file.isRequired && !isOneOfTwo ? [file.field] : []), ...required];
  return {
    schema: {
      ...rest,
      properties: { [file.field]: file.maxFiles === 1 ? one : many, ...properties },
      ...(allRequired.length > 0 ? { required: allRequired } : {}),
      ...alternatives([
        ...(anyOf ? [anyOf] : []),
        ...(isOneOfTwo ? [[{ required: [file.field] }, { required: [file.orField] }]] : []),
      ]),
    },
    ...(jsonFields.length === 0
      ? {}
      : { encoding: Object.fromEntries(jsonFields.map((name) => [name, { contentType: "application/json" }])) }),
  };
}

/** Of each list one has to hold. */
function alternatives(lists: JsonSchema[][]): JsonSchema {
  const [first] = lists;
  if (!first) return {};
  return lists.length === 1 ? { anyOf: first } : { allOf: lists.map((anyOf) => ({ anyOf })) };
}

/** The text fields with the file among them, which is bytes in a real call. */
function formExample({ file, example }: MultipartBodyDefinition): unknown {
  const bytes = "(the bytes of the file)";
  return { [file.field]: file.maxFiles === 1 ? bytes : [bytes], ...(example as object | undefined) };
}

function success(definition: EndpointDefinition, response: ResponseDefinition, use: UseSchema): JsonSchema {
  const { status, description, schema, contentType, example, headers = [] } = response;
  const isJson = contentType === undefined;
  const hasContent = schema !== undefined || !isJson;
  const raw = contentType?.startsWith("text/")
    ? { type: "string" }
    : { type: "string", format: "binary", contentMediaType: "application/octet-stream" };
  return {
    description,
    headers: headerMap([...responseHeadersOf(definition, status), ...headers]),
    ...(hasContent
      ? {
          content: {
            [contentType ?? "application/json"]: {
              schema: schema ? use(schema, "output") : raw,
              ...(example === undefined ? {} : { example }),
            },
          },
        }
      : {}),
  };
}

function failure(definition: EndpointDefinition, status: number, codes: ErrorCode[], use: UseSchema): JsonSchema {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join(" "),
    headers: headerMap(responseHeadersOf(definition, status)),
    content: {
      "application/json": {
        schema: use(errorResponse, "output"),
        examples: Object.fromEntries(codes.map((code) => [code, { summary: code, value: errorExample(code) }])),
      },
    },
  };
}

function errorExample(code: ErrorCode): JsonSchema {
  return {
    error: {
      code,
      message: ERROR_MEANINGS[code],
      retryable: ERROR_CODES[code].retryable,
      requestId: "req_01k8z3v5n6f0mve1q5t9d2x7ab",
    },
  };
}

/** Shared headers by reference, an endpoint's own ones in place. */
function headerMap(headers: readonly HeaderDefinition[]): JsonSchema {
  return Object.fromEntries(
    headers.map((header) => [
      header.name,
      RESPONSE_HEADERS.includes(header) ? { $ref: `#/components/headers/${header.name}` } : headerObject(header),
    ]),
  );
}

/** A header of an answer. */
export function headerObject({ description, type = "string", isRequired = true }: HeaderDefinition): JsonSchema {
  return { description, required: isRequired, schema: { type } };
}
