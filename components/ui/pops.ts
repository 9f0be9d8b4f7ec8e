const listeners = new Set<(event: Event) => void>();

/**
 * Hears of steps through the browser's history before Next's router does: browsers tell who listens to that in the order in which they began
 * to. Once for each document.
 */
export function hearPops(): void {
  window.addEventListener("popstate", (event) => {
    for (const listener of listeners) listener(event);
  });
}

/** @returns what ends it */
export function onPop(listener: (event: Event) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
