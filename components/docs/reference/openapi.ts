/** As much of an OpenAPI 3.1 document as the reference draws. */
export interface OpenApiDocument {
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Schema>; headers: Record<string, Header> };
}

/** What a client sends or gets, as JSON Schema. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  not?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  additionalProperties?: boolean | Schema;
}

export interface Header {
  $ref?: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema?: Schema;
}

export interface Content {
  schema: Schema;
  example?: unknown;
  /** Of refusals, by error code. */
  examples?: Record<string, { value: { error: { message: string } } }>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<
    string,
    { description: string; headers?: Record<string, Header>; content?: Record<string, Content> }
  >;
}

/** The document that the service publishes, as what it is. */
export function asOpenApi(document: Record<string, unknown>): OpenApiDocument {
  return document as unknown as OpenApiDocument;
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** An operation and where it stands. */
export interface FoundOperation {
  /** "POST" */
  method: string;
  /** In front of the path: "/api/v1"; empty for what stands at the host's root. */
  base: string;
  /** "/chat/{sessionId}" */
  path: string;
  operation: Operation;
}

/** All operations of a document, in its order. */
export function operationsOf({ paths, servers }: OpenApiDocument): FoundOperation[] {
  const apiBase = new URL(servers[0]?.url ?? "").pathname;
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      method: method.toUpperCase(),
      base: "servers" in item ? "" : apiBase,
      path,
      operation: item[method] as Operation,
    })),
  );
}

/** A schema in place of a reference to it; what stands beside the reference wins. */
export function resolveSchema({ components }: OpenApiDocument, schema: Schema = {}): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : { ...components.schemas[name], ...schema, $ref: undefined };
}

/** A header in place of a reference to it. */
export function resolveHeader({ components }: OpenApiDocument, header: Header): Header {
  const name = header.$ref?.split("/").at(-1);
  return name === undefined ? header : (components.headers[name] ?? {});
}
