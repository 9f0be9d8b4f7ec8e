import { offsetField } from "@/lib/contracts/fields";
import type { Page, PageRequest } from "@/lib/domain/pagination";

/** The offset of a page's address; what cannot be one opens the list from its start. */
export function offsetOf(value: string | string[] | undefined): number {
  const parsed = offsetField.safeParse(value);
  return parsed.success ? parsed.data : 0;
}

/**
 * Reads the part of a list that an address asks for. Beyond the end it is the last part: what stood there has gone
 * meanwhile, and the list would say that it has nothing at all.
 */
export async function listAt<T>(
  value: string | string[] | undefined,
  limit: number,
  list: (request: PageRequest) => Promise<Page<T>>,
): Promise<Page<T>> {
  const page = await list({ limit, offset: offsetOf(value) });
  const { total } = page.pagination;
  if (page.data.length > 0 || total === 0) return page;
  return list({ limit, offset: Math.floor((total - 1) / limit) * limit });
}
