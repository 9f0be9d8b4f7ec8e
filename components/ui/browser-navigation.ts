/** The part of the browser's navigation interface that is used. */
export interface Navigation extends EventTarget {
  currentEntry: { index: number } | null;
  /** Of this tab, in their order; those of other origins are not among them. */
  entries(): HistoryEntry[];
  traverseTo(key: string): unknown;
}

export interface HistoryEntry {
  /** Null: the page keeps it to itself. */
  url: string | null;
}

export interface NavigateEvent extends Event {
  navigationType: string;
  destination: { key: string };
}

/** Undefined in browsers that have none. */
export function navigationOf(source: object): Navigation | undefined {
  return "navigation" in source ? (source.navigation as Navigation) : undefined;
}
