/** How the browser came to this page; "navigate" where it does not say. */
export function wayHere(): NavigationTimingType {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type ?? "navigate";
}
