import type { z } from "zod";
import type { ErrorCode } from "@/lib/domain/errors";
import type { Permission } from "@/lib/domain/permissions";

/**
 * What is written down once for each endpoint. The route runs on it, and `GET /health`, `GET /docs`,
 * `GET /openapi.json` and the reference page are made from it.
 */

/** As the `contentType` of a file: it is what it is. */
export const ANY_TYPE = "*/*";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A body of `application/json`: one object. */
export interface JsonBodyDefinition<S extends z.ZodType = z.ZodType> {
  kind: "json";
  schema: S;
  /** A call without a body is one with an empty object. */
  isOptional?: boolean;
  example?: unknown;
}

/** A body of `multipart/form-data`; with `json-or-multipart` a JSON object without a file is taken too. */
export interface MultipartBodyDefinition<S extends z.ZodType = z.ZodType> {
  kind: "multipart" | "json-or-multipart";
  /** The text fields; the file fields are not part of it. */
  schema: S;
  /** Text fields that carry JSON, e.g. `templateVars`. */
  jsonFields?: readonly string[];
  file: FileFieldDefinition;
  /** An example of the text fields. */
  example?: unknown;
}

export interface FileFieldDefinition {
  /** Name of the multipart field. */
  field: string;
  maxFiles: number;
  maxFileBytes: number;
  isRequired: boolean;
  /** The text field that may come instead: a file that was uploaded before. Required is then one of the two. */
  orField?: string;
  /** For small files that become something else: the handler gets the bytes, and nothing is ever stored. */
  isHeldInMemory?: boolean;
  description: string;
  /** Names of the files in examples of calls; absent: they go without. */
  exampleNames?: string[];
}

export type BodyDefinition = JsonBodyDefinition | MultipartBodyDefinition;

/** One answer of an endpoint. Without a schema the handler makes the response itself. */
export interface ResponseDefinition<S extends z.ZodType = z.ZodType> {
  status: number;
  description: string;
  schema?: S;
  /** Of an answer that is not JSON, e.g. `text/event-stream`. */
  contentType?: string;
  example?: unknown;
  headers?: readonly HeaderDefinition[];
}

export interface HeaderDefinition {
  name: string;
  description: string;
  type?: "string" | "integer";
  isRequired?: boolean;
  example?: string | number;
}

export interface EndpointDefinition {
  method: HttpMethod;
  /** Below {base_url} (or {host_url} with `root: "host"`), with parameters as `:sessionId`. */
  path: `/${string}`;
  root?: "api" | "host";
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  /** `none`: open to everybody, not counted against a rate limit. */
  auth: "key" | "none";
  /** Null: any valid key. */
  permission: Permission | null;
  /** Path parameters; one that does not fit is the 404 of an unknown id. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: BodyDefinition;
  requestHeaders?: readonly HeaderDefinition[];
  /** (beyond) Pages of any site may read its answers (CORS): for what needs no key, and nothing that a browser adds. */
  isForPages?: boolean;
  /** (beyond) Takes an `Idempotency-Key`: for what starts work or creates (contract §2). */
  isIdempotent?: boolean;
  response: ResponseDefinition;
  /** Further success answers, e.g. 206 of a download. */
  otherResponses?: readonly ResponseDefinition[];
  /** Beyond those that every endpoint of its kind can give. */
  errors: readonly ErrorCode[];
}

/** Keeps the exact types of a definition, so that its handler is typed by it. */
export function defineEndpoint<const D extends EndpointDefinition>(definition: D): D {
  return definition;
}

type SchemaOutput<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;

/** Path parameters after validation. */
export type ParamsOf<D extends EndpointDefinition> = SchemaOutput<D["params"]>;

/** Query parameters after validation. */
export type QueryOf<D extends EndpointDefinition> = SchemaOutput<D["query"]>;

/** The body after validation; of a multipart body, its text fields. */
export type BodyOf<D extends EndpointDefinition> = D["body"] extends { schema: infer S } ? SchemaOutput<S> : undefined;

/** What the handler gives back when the answer is JSON. */
export type ResponseBodyOf<D extends EndpointDefinition> = D["response"] extends { schema: infer S extends z.ZodType }
  ? z.output<S>
  : never;

/** "POST /chat": the endpoint's name in logs, usage and the catalog. */
export function endpointName(definition: EndpointDefinition): string {
  return `${definition.method} ${definition.path}`;
}

/** The path from the host's root, e.g. "/api/v1/chat/:sessionId". */
export function endpointPath(definition: EndpointDefinition): string {
  return definition.root === "host" ? definition.path : `${API_PREFIX}${definition.path}`;
}

/** §9: the version is the path prefix. */
export const API_PREFIX = "/api/v1";

/** §9: the value of `version` in `GET /health`. */
export const API_VERSION = "1.0.0";
