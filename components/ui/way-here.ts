/** How the browser came to this page; "navigate" where it does not say. */
export function wayHere(): NavigationTimingType {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type ?? wayOfOld();
}

/** Chromium now and then has no entry of a page at all; what was there before it still says how it was come to. */
function wayOfOld(): NavigationTimingType {
  const { navigation } = performance as { navigation?: { type: number } };
  return navigation?.type === 1 ? "reload" : navigation?.type === 2 ? "back_forward" : "navigate";
}
