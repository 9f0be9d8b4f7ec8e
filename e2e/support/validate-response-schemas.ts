import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type EndpointDefinition, endpointPath } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { makeOpenApi } from "@/lib/contracts/openapi-document";

/** The OpenAPI document as something that answers can be held against. */

/** One answer as the document describes it. */
export interface DocumentedResponse {
  /** By name; those that must be there, and whether they are whole numbers. */
  requiredHeaders: { name: string; isInteger: boolean }[];
  /** Undefined: no body. */
  contentType: string | undefined;
  /** Of a JSON body; what is wrong with it, or null. */
  mismatch(body: unknown): string | null;
  /** Of an error: the codes that it can carry. */
  codes: string[];
}

interface Header {
  required?: boolean;
  schema: { type: string };
}

interface Operation {
  operationId: string;
  responses: Record<
    string,
    {
      headers: Record<string, Header | { $ref: string }>;
      content?: Record<string, { examples?: Record<string, unknown> }>;
    }
  >;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, Header>; schemas: Record<string, unknown> };
}

/** What a client gets is the text; examples and references are then plain data. */
const document = JSON.parse(
  JSON.stringify(makeOpenApi(ENDPOINTS, { hostUrl: "https://service.test", serviceName: "Service" })),
) as Document;

/**
 * Clients must bear further fields, so the document forbids none; an answer of ours that has one which the document does
 * not know is a mistake. The formats are the contract's (contract §2), narrower than the standard's.
 */
const schemas = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
    date: /^\d{4}-\d{2}-\d{2}$/,
    uri: (text: string) => URL.canParse(text),
    binary: true,
    int64: true,
  },
});
schemas.addSchema(closed(document) as object, "openapi");

const described = new Map<string, DocumentedResponse | null>();

/** What the document says of that status of the endpoint; null when it does not list it. */
export function documentedResponse(definition: EndpointDefinition, status: number): DocumentedResponse | null {
  const key = `${definition.operationId} ${status}`;
  let found = described.get(key);
  if (found === undefined) {
    found = describe(definition, String(status));
    described.set(key, found);
  }
  return found;
}

/** The shape of every error, also of those that belong to no endpoint. */
export function errorMismatch(body: unknown): string | null {
  return check(schema("/components/schemas/Error"), body);
}

/** The endpoints of a path from the host's root. A literal path goes before one with parameters that fits as well. */
export function endpointsAt(path: string): EndpointDefinition[] {
  const literal = ENDPOINTS.filter((definition) => endpointPath(definition) === path);
  if (literal.length > 0) return literal;
  return ENDPOINTS.filter((definition) => patternOf(definition).test(path));
}

function patternOf(definition: EndpointDefinition): RegExp {
  return new RegExp(`^${endpointPath(definition).replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+")}$`);
}

function describe(definition: EndpointDefinition, status: string): DocumentedResponse | null {
  const path = definition.path.replace(/:(\w+)/g, "{$1}");
  const method = definition.method.toLowerCase();
  const response = document.paths[path]?.[method]?.responses[status];
  if (!response) return null;
  const [contentType] = Object.keys(response.content ?? {});
  const at = ["paths", path, method, "responses", status, "content", "application/json", "schema"];
  const requiredHeaders = Object.entries(response.headers).flatMap(([name, header]) => {
    const { required, schema: ofHeader } = "$ref" in header ? headerAt(header.$ref) : header;
    return required ? [{ name, isInteger: ofHeader.type === "integer" }] : [];
  });
  return {
    requiredHeaders,
    contentType,
    mismatch: (body) => check(schema(pointer(at)), body),
    codes: Object.keys(response.content?.["application/json"]?.examples ?? {}),
  };
}

function headerAt(reference: string): Header {
  const header = document.components.headers[reference.replace("#/components/headers/", "")];
  if (!header) throw new Error(`${reference} is not in the document.`);
  return header;
}

function schema(at: string): ValidateFunction {
  const found = schemas.getSchema(`openapi#${at}`);
  if (!found) throw new Error(`There is no schema at ${at}.`);
  return found;
}

function check(validate: ValidateFunction, body: unknown): string | null {
  return validate(body) ? null : schemas.errorsText(validate.errors, { dataVar: "body", separator: "; " });
}

function pointer(parts: string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
}

/** The same with no room for further fields wherever an object's fields are named. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, closed(item)]));
  const isOpenObject =
    copy.type === "object" && copy.properties !== undefined && copy.additionalProperties === undefined;
  return isOpenObject ? { ...copy, additionalProperties: false } : copy;
}
