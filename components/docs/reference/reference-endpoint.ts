import {
  type Content,
  type FoundOperation,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  resolveHeader,
  type Schema,
} from "@/components/docs/reference/openapi";
import { type ReferenceEntry, toEntry } from "@/components/docs/reference/reference-entries";
import { fieldOf, fieldsOf, type SchemaField } from "@/components/docs/reference/schema-fields";

/** One endpoint in full. */
export interface ReferenceEndpoint extends ReferenceEntry {
  /** The tag. */
  group: string;
  /** What goes along with a call, by its place. */
  parts: ReferencePart[];
  answers: ReferenceAnswer[];
  /** What a call may be refused for. */
  refusals: { status: string; code: string; text: string }[];
  previous: ReferenceEntry | undefined;
  next: ReferenceEntry | undefined;
}

export interface ReferencePart {
  title: string;
  /** Of bodies: as what it is sent, and what goes instead of what. */
  note: string;
  fields: SchemaField[];
}

export interface ReferenceAnswer {
  status: string;
  text: string;
  /** "application/json"; absent: no body. */
  contentType: string | undefined;
  /** As the body would be written. */
  example: string | undefined;
  fields: SchemaField[];
  headers: SchemaField[];
}

const PLACES = [
  { place: "path", title: "Path" },
  { place: "query", title: "Query" },
  { place: "header", title: "Headers" },
] as const;

/** The endpoint of that operationId; undefined: there is none. */
export function referenceEndpoint(document: OpenApiDocument, id: string): ReferenceEndpoint | undefined {
  const all = operationsOf(document);
  const at = all.findIndex(({ operation }) => operation.operationId === id);
  const found = all[at];
  if (!found) return undefined;
  const entryAt = (index: number) => (all[index] ? toEntry(all[index]) : undefined);
  return {
    ...toEntry(found),
    group: found.operation.tags[0] ?? "",
    parts: partsOf(document, found),
    answers: answersOf(document, found.operation),
    refusals: refusalsOf(found.operation),
    previous: entryAt(at - 1),
    next: entryAt(at + 1),
  };
}

function partsOf(document: OpenApiDocument, { operation }: FoundOperation): ReferencePart[] {
  const { parameters = [], requestBody } = operation;
  const parts = PLACES.map(({ place, title }) => ({
    title,
    note: "",
    fields: parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, description, schema }) => fieldOf(document, name, { ...schema, description }, required)),
  }));
  const content = requestBody?.content ?? {};
  const forms = Object.values(content).map(({ schema }) => schema);
  const body = { title: "Body", note: bodyNote(content, requestBody?.required), fields: fieldsOf(document, forms) };
  return [...parts, body].filter(({ fields }) => fields.length > 0);
}

function bodyNote(content: Record<string, Content>, isRequired = false): string {
  const types = Object.keys(content).map((type) => `\`${type}\``);
  const [schema = {}] = Object.values(content).map((form) => form.schema);
  const choice = neededFields(schema)
    .map((names) => names.map((name) => `\`${name}\``).join(" or "))
    .join(", and ");
  return `As ${types.join(" or ")}.${choice ? ` Needs ${choice}.` : ""}${isRequired ? "" : " May be left out."}`;
}

/** Of each list at least one field has to be there: the document refuses that all of them are absent. */
function neededFields({ not }: Schema): string[][] {
  const refused = not?.anyOf ?? (not ? [not] : []);
  return refused.map(({ properties = {} }) => Object.keys(properties));
}

function answersOf(document: OpenApiDocument, { responses }: Operation): ReferenceAnswer[] {
  const isAccepted = ([status]: [string, unknown]) => Number(status === "202");
  // That the work was accepted comes first: the others are answers to special wishes.
  const good = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .toSorted((a, b) => isAccepted(b) - isAccepted(a));
  return good.map(([status, { description, headers = {}, content = {} }]) => {
    const [[contentType, body] = [undefined, undefined]] = Object.entries(content);
    return {
      status,
      text: description,
      contentType,
      example: body?.example === undefined ? undefined : written(body.example),
      fields: body ? fieldsOf(document, [body.schema]) : [],
      headers: Object.entries(headers).map(([name, given]) => {
        const { schema, description: text, required = false } = resolveHeader(document, given);
        return fieldOf(document, name, { ...schema, description: text }, required);
      }),
    };
  });
}

function written(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example, null, 2);
}

function refusalsOf({ responses }: Operation): ReferenceEndpoint["refusals"] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap(({ examples = {} }) =>
      Object.entries(examples).map(([code, { value }]) => ({ status, code, text: value.error.message })),
    ),
  );
}
