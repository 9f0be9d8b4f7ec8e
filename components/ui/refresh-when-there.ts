import type { useRouter } from "next/navigation";

/**
 * Draws the page's server parts anew by itself, unless the service cannot make it just then. Where nothing answers, Next would go
 * to the page's address, and the browser's own error would stand in its place for good; where the database is away, what is read
 * and typed would make place for the words that it is.
 * @param isWanted asked again once the service has answered
 */
export async function refreshWhenThere(
  router: Pick<ReturnType<typeof useRouter>, "refresh">,
  isWanted: () => boolean,
): Promise<void> {
  if (isWanted() && (await isThere()) && isWanted()) router.refresh();
}

const ASK_EVERY_MS = 5_000;

/**
 * The same as soon as the service can be reached again: what asks for it was cut off a moment ago.
 * @param mayRefresh asked once the service has answered; null: it could not be found out, and is asked again
 */
export async function refreshOnceThere(
  router: Pick<ReturnType<typeof useRouter>, "refresh">,
  isWanted: () => boolean,
  mayRefresh: () => Promise<boolean | null>,
): Promise<void> {
  while (isWanted()) {
    const may = (await isThere()) ? await mayRefresh() : null;
    if (may !== null) return may && isWanted() ? router.refresh() : undefined;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}

function isThere(): Promise<boolean> {
  return fetch("/api/v1/health/ready", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}
