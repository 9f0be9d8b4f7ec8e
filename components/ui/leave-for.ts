/** How long it may take until the next page comes: a reader who stops it tells nobody. */
export const LEAVES_WITHIN_MS = 20_000;

/**
 * Goes to another page of the service. A form that waits for this stays pending until it is gone: sent again meanwhile, it
 * would be told that its link is used, its code wrong or its address taken, by itself. It resolves when the page stays, or is
 * shown again.
 */
export function leaveFor(href: string): Promise<undefined> {
  window.location.assign(href);
  return new Promise((resolve) => {
    const stay = () => resolve(undefined);
    setTimeout(stay, LEAVES_WITHIN_MS);
    window.addEventListener("pageshow", ({ persisted }) => persisted && stay());
  });
}

/** Loads the page anew, as `leaveFor` goes to another. */
export function leaveForItself(): Promise<undefined> {
  return leaveFor(window.location.pathname + window.location.search);
}
