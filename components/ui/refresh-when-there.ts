import type { useRouter } from "next/navigation";

/**
 * Draws the page's server parts anew by itself, unless the service does not answer just then: Next would go to the page's
 * address, and the browser's own error would stand in its place for good.
 * @param isWanted asked again once the service has answered
 */
export async function refreshWhenThere(
  router: Pick<ReturnType<typeof useRouter>, "refresh">,
  isWanted: () => boolean,
): Promise<void> {
  if (isWanted() && (await isThere()) && isWanted()) router.refresh();
}

function isThere(): Promise<boolean> {
  return fetch("/api/v1/health/live", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}
