/**
 * How the browser came to this page. "reload" where it does not say, as Chromium has no entry of a page now and then: what a tab keeps
 * is kept for one address, so that giving it back to a page that was gone to does less harm than losing it to one that was loaded anew.
 */
export function wayHere(): NavigationTimingType {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type ?? "reload";
}
