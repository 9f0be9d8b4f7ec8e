import { findAllInFiles } from "@/e2e/support/canary-search";
import { suite } from "@/e2e/support/suite";

/** By text the names of what the service keeps and that holds it: of its files on disk, and of those in Blob where they are there. */
export async function findAllInStore(texts: readonly string[]): Promise<Map<string, string[]>> {
  const found = await findAllInFiles(suite.variables.DATA_DIR ?? "", texts);
  if (!suite.blobUrl) return found;
  const query = new URLSearchParams(texts.map((text) => ["text", text]));
  const response = await fetch(new URL(`/find?${query}`, suite.blobUrl));
  const inBlob = (await response.json()) as Record<string, string[]>;
  return new Map(texts.map((text) => [text, [...(found.get(text) ?? []), ...(inBlob[text] ?? [])]]));
}

/** The same for one text. */
export async function findInStore(text: string): Promise<string[]> {
  return (await findAllInStore([text])).get(text) ?? [];
}
