import { makeCatalog } from "@/lib/contracts/catalog";
import { requestHeadersOf } from "@/lib/contracts/describe-endpoint";
import type { CatalogEndpoint } from "@/lib/contracts/docs";
import {
  ANY_TYPE,
  type EndpointDefinition,
  endpointName,
  endpointPath,
  type FileFieldDefinition,
} from "@/lib/contracts/endpoint-definition";
import type { Permission } from "@/lib/domain/permissions";

/** The endpoints as the playground's forms need them: plain data, made from the definitions that the routes run on. */

export interface PlaygroundField {
  name: string;
  place: "path" | "query" | "header" | "body";
  /** How it is asked for: one line, several, JSON, or one of a few values. */
  kind: "line" | "text" | "json" | "choice";
  /** Of numbers and booleans, whose JSON has no quotes. */
  isBare: boolean;
  choices: string[];
  isRequired: boolean;
  description: string;
  /** What the definition's example says; of JSON, as text. Empty: nothing. */
  example: string;
}

export interface PlaygroundFile {
  /** Of the form's field. */
  name: string;
  maxFiles: number;
  isRequired: boolean;
  description: string;
  /** Names of files in examples of calls. */
  exampleNames: string[];
}

export interface PlaygroundEndpoint {
  /** The definition's operationId. */
  id: string;
  /** "POST /chat" */
  name: string;
  method: string;
  /** From the host's root, with parameters as `:sessionId`. */
  path: string;
  summary: string;
  tag: string;
  needsKey: boolean;
  permission: Permission | null;
  /** `either`: a form when a file is there, else JSON. */
  body: "none" | "json" | "form" | "either";
  fields: PlaygroundField[];
  file: PlaygroundFile | null;
  isStream: boolean;
  /** Whether it answers with a file, of whatever kind. */
  isFile: boolean;
}

/** All that the playground can call, in the order of the documents. */
export function describeForPlayground(definitions: readonly EndpointDefinition[]): PlaygroundEndpoint[] {
  const { endpoints } = makeCatalog(definitions, "");
  return definitions.map((definition, at) => describe(definition, endpoints[at]?.parameters ?? []));
}

function describe(definition: EndpointDefinition, parameters: CatalogEndpoint["parameters"]): PlaygroundEndpoint {
  const { operationId, method, summary, tags, auth, permission, body, response } = definition;
  const examples = (body?.example ?? {}) as Record<string, unknown>;
  const isForm = body !== undefined && body.kind !== "json";
  const fields = parameters.flatMap(({ in: place, ...parameter }) =>
    place === "file" || takesNothing(parameter)
      ? []
      : [fieldOf(place, parameter, place === "body" ? examples[parameter.name] : undefined)],
  );
  return {
    id: operationId,
    name: endpointName(definition),
    method,
    path: endpointPath(definition),
    summary,
    tag: tags[0] ?? "",
    needsKey: auth === "key",
    permission,
    body: body ? ({ json: "json", multipart: "form", "json-or-multipart": "either" } as const)[body.kind] : "none",
    fields: [...fields, ...headersOf(definition)],
    file: isForm ? fileOf(body.file) : null,
    isStream: response.contentType?.startsWith("text/event-stream") ?? false,
    isFile: response.contentType === ANY_TYPE,
  };
}

function fileOf({ field, orField, exampleNames = [], ...file }: FileFieldDefinition): PlaygroundFile {
  const { maxFiles, description } = file;
  return { name: field, maxFiles, isRequired: file.isRequired && orField === undefined, description, exampleNames };
}

type Parameter = Omit<CatalogEndpoint["parameters"][number], "in">;

/** Whether a parameter is there to say that it is not taken (starting.ts): a field for it would ask for what is refused. */
function takesNothing({ schema }: Parameter): boolean {
  const { enum: values, maxLength } = schema as { enum?: unknown[]; maxLength?: number };
  return maxLength === 0 || (values?.length === 1 && values[0] === "false");
}

function fieldOf(place: "path" | "query" | "body", parameter: Parameter, example: unknown): PlaygroundField {
  const { name, required, description = "", schema } = parameter;
  const { type, enum: values, maxLength } = schema as { type?: unknown; enum?: unknown[]; maxLength?: number };
  const isJson = type === "object" || type === "array" || (typeof example === "object" && example !== null);
  const isLong = place === "body" && (maxLength === undefined || maxLength > LINE_CHARACTERS) && LONG_TEXTS.test(name);
  return {
    name,
    place,
    kind: values ? "choice" : isJson ? "json" : isLong ? "text" : "line",
    isBare: type === "integer" || type === "number" || type === "boolean",
    choices: (values ?? []).map(String),
    isRequired: required || place === "path",
    description,
    example: example === undefined ? "" : typeof example === "string" ? example : JSON.stringify(example),
  };
}

function headersOf(definition: EndpointDefinition): PlaygroundField[] {
  return requestHeadersOf(definition).map(({ name, description, isRequired = false }) => ({
    name,
    place: "header",
    kind: "line",
    isBare: false,
    choices: [],
    isRequired,
    description,
    example: "",
  }));
}

const LINE_CHARACTERS = 500;
const LONG_TEXTS = /^(message|prompt|promptTemplate|fileContent|description)$/;
