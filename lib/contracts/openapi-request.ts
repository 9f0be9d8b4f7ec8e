import { requestContentTypesOf, requestHeadersOf } from "@/lib/contracts/describe-endpoint";
import type { BodyDefinition, EndpointDefinition, MultipartBodyDefinition } from "@/lib/contracts/endpoint-definition";
import type { JsonSchema, UseSchema } from "@/lib/contracts/json-schema";
import { neededLists, needsOneOf } from "@/lib/contracts/needs-one-of";

/** What a call has in its address and its headers. */
export function parametersOf(definition: EndpointDefinition, use: UseSchema): JsonSchema[] {
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

/** What a call sends. */
export function requestBody(definition: EndpointDefinition, body: BodyDefinition, use: UseSchema): JsonSchema {
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
    not,
    ...rest
  } = schema as {
    properties: JsonSchema;
    required?: string[];
    not?: JsonSchema;
  };
  const one = {
    type: "string",
    format: "binary",
    contentMediaType: "application/octet-stream",
    description: file.description,
  };
  const many = { type: "array", items: one, minItems: 1, maxItems: file.maxFiles };
  const instead = file.isRequired ? file.orField : undefined;
  const allRequired = [...(file.isRequired && instead === undefined ? [file.field] : []), ...required];
  const needed = [...neededLists({ not }), ...(instead === undefined ? [] : [[file.field, instead]])];
  return {
    schema: {
      ...rest,
      properties: { [file.field]: file.maxFiles === 1 ? one : many, ...properties },
      ...(allRequired.length > 0 ? { required: allRequired } : {}),
      ...(needed.length > 0 ? needsOneOf(...needed) : {}),
    },
    ...(jsonFields.length === 0
      ? {}
      : { encoding: Object.fromEntries(jsonFields.map((name) => [name, { contentType: "application/json" }])) }),
  };
}

/** The text fields with the file among them, which is bytes in a real call. */
function formExample({ file, example }: MultipartBodyDefinition): unknown {
  const bytes = "(the bytes of the file)";
  return { [file.field]: file.maxFiles === 1 ? bytes : [bytes], ...(example as object | undefined) };
}
