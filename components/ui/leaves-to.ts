/** Where a click leads that replaces this page with another of ours; null for any other click. */
export function leavesTo(event: MouseEvent): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!isPlain || !link?.href || link.target === "_blank" || link.hasAttribute("download")) return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  if (origin !== location.origin) return null;
  const isSamePage = pathname === location.pathname && search === location.search;
  return isSamePage ? null : pathname + search + hash;
}
