/** One endpoint of the index. */
export interface ReferenceEntry {
  /** The address of the endpoint on the page, in the index and in the reference: "tag/chat/POST/chat". */
  anchor: string;
  method: string;
  /** In front of the path: "/api/v1"; empty for what stands at the host's root. */
  base: string;
  /** "/chat/{sessionId}" */
  path: string;
  summary: string;
  /** What else there is to say, and what it needs: "Needs the permission `chat`." */
  text: string;
  fields: ReferenceField[];
  answers: { status: string; text: string }[];
}

export interface ReferenceField {
  name: string;
  place: "path" | "query" | "header" | "body";
  isRequired: boolean;
  text: string;
}

export interface ReferenceGroup {
  name: string;
  text: string;
  entries: ReferenceEntry[];
}

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

interface Operation {
  tags: string[];
  summary: string;
  description: string;
  parameters?: { name: string; in: "path" | "query" | "header"; required: boolean; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string }>;
}

interface Document {
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Schema> };
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** The OpenAPI document as its index shows it: by tag, in the document's order. */
export function referenceGroups(openApi: Record<string, unknown>): ReferenceGroup[] {
  const document = openApi as unknown as Document;
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const operation = item[method] as Operation;
      const [tag = ""] = operation.tags;
      return { tag, entry: toEntry(document, { path, method, tag, operation, isElsewhere: "servers" in item }) };
    }),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    text: description,
    entries: entries.filter(({ tag }) => tag === name).map(({ entry }) => entry),
  }));
}

interface Found {
  path: string;
  method: string;
  tag: string;
  operation: Operation;
  isElsewhere: boolean;
}

function toEntry(document: Document, { path, method, tag, operation, isElsewhere }: Found): ReferenceEntry {
  const name = method.toUpperCase();
  const { parameters = [], requestBody, responses, summary, description } = operation;
  return {
    // As the reference makes its own.
    anchor: `tag/${tag.toLowerCase().replaceAll(" ", "-")}/${name}${path}`,
    method: name,
    base: isElsewhere ? "" : new URL(document.servers[0]?.url ?? "").pathname,
    path,
    summary,
    text: description.startsWith(summary) ? description.slice(summary.length).trimStart() : description,
    fields: [
      ...parameters.map(({ name: field, in: place, required, description: text = "" }) => ({
        ...{ name: field, place, isRequired: required, text },
      })),
      ...bodyFields(document, requestBody),
    ],
    answers: Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([status, { description: text }]) => ({ status, text })),
  };
}

/** Of all forms that the body may have: a field that every form wants is required. */
function bodyFields(document: Document, body: Operation["requestBody"]): ReferenceField[] {
  const forms = Object.values(body?.content ?? {}).map(({ schema }) => resolve(document, schema));
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => ({
    name,
    place: "body",
    isRequired: forms.every(({ required = [] }) => required.includes(name)),
    text: forms.map(({ properties }) => describe(resolve(document, properties?.[name]))).find(Boolean) ?? "",
  }));
}

/** Many of a kind are described once, as one of them. */
function describe({ description, items }: Schema): string | undefined {
  return description ?? items?.description;
}

function resolve({ components }: Document, schema: Schema = {}): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : { ...components.schemas[name], ...schema };
}
