import { type FoundOperation, type OpenApiDocument, operationsOf } from "@/components/docs/reference/openapi";

/** One endpoint of the index. */
export interface ReferenceEntry {
  /** The operationId, and the last part of the endpoint's address: "startChat". */
  id: string;
  method: string;
  /** In front of the path: "/api/v1"; empty for what stands at the host's root. */
  base: string;
  /** "/chat/{sessionId}" */
  path: string;
  summary: string;
  /** What else there is to say, and what it needs: "Needs the permission `chat`." */
  text: string;
}

export interface ReferenceGroup {
  name: string;
  text: string;
  entries: ReferenceEntry[];
}

export const REFERENCE_PATH = "/docs/reference";

/** Where an endpoint has its page. */
export function referenceAddress({ id }: Pick<ReferenceEntry, "id">): string {
  return `${REFERENCE_PATH}/${id}`;
}

/** The OpenAPI document as its index shows it: by tag, in the document's order. */
export function referenceGroups(document: OpenApiDocument): ReferenceGroup[] {
  const found = operationsOf(document);
  return document.tags.map(({ name, description }) => ({
    name,
    text: description,
    entries: found.filter(({ operation }) => operation.tags[0] === name).map(toEntry),
  }));
}

/** What the index says of an operation. */
export function toEntry({ method, base, path, operation }: FoundOperation): ReferenceEntry {
  const { operationId, summary, description } = operation;
  const text = description.startsWith(summary) ? description.slice(summary.length).trimStart() : description;
  return { id: operationId, method, base, path, summary, text };
}
