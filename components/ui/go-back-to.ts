import { type HistoryEntry, navigationOf } from "@/components/ui/browser-navigation";

/**
 * Goes back in the browser's history where the page before this one is the one at that address.
 * @param href of our own, path and query
 * @returns whether it does; else it is for the caller to go there
 */
export function goBackTo(href: string): boolean {
  const navigation = navigationOf(window);
  const before = navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1];
  if (addressOf(before) !== href) return false;
  window.history.back();
  return true;
}

function addressOf(entry: HistoryEntry | undefined): string | undefined {
  if (!entry?.url) return undefined;
  const { pathname, search } = new URL(entry.url);
  return pathname + search;
}
