/** The query of an address as Next gives it to pages. */
export type AddressParams = Record<string, string | string[] | undefined>;

/**
 * An address with some of its parameters changed: how filters, tabs, pages and open details live in links.
 * @param changes null or an empty text takes a parameter out
 */
export function addressWith(path: string, params: AddressParams, changes: Record<string, string | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (Object.hasOwn(changes, name)) continue;
    for (const single of Array.isArray(value) ? value : [value]) if (single) query.append(name, single);
  }
  for (const [name, value] of Object.entries(changes)) if (value) query.set(name, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
