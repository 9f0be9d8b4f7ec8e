import { readClosedEntity, readEntity } from "@/lib/ai/files/text/html-entities";

/** A longer tag has data in it, such as a picture. */
export const MAX_TAG_CHARACTERS = 20_000;

/** The attributes of a tag, by their names in small letters; of two of one name the first counts. */
export function readAttributes(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  const text = tag.slice(0, MAX_TAG_CHARACTERS).replace(/^<\/?[^\s/>]+/, "");
  for (const match of text.matchAll(/([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/g)) {
    const name = match[1]?.toLowerCase() ?? "";
    if (!attributes.has(name)) attributes.set(name, readEntities(match[2] ?? match[3] ?? match[4] ?? ""));
  }
  return attributes;
}

/** Entities become characters. */
export function readEntities(text: string): string {
  return text.replace(
    /&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,9});?/gi,
    (entity, name: string) => readEntity(name) ?? (entity.endsWith(";") ? readClosedEntity(name) : undefined) ?? entity,
  );
}
