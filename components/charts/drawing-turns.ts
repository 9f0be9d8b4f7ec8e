/** A page that is never idle still gets its charts. */
const LONGEST_WAIT_MS = 1_000;

let turns: Promise<void> = Promise.resolve();

/**
 * Lets a chart be drawn after those that asked before it, once the browser has nothing else to do. One whose drawing
 * fails keeps nobody from theirs.
 * @param left aborted: nobody looks at the chart any more, and it is passed over
 */
export function takeTurn(draw: () => Promise<void>, left: AbortSignal): void {
  turns = turns
    .then(async () => {
      if (!left.aborted) await untilIdle();
      if (!left.aborted) await draw();
    })
    .catch(() => {});
}

function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no word of its own for it.
    if (typeof requestIdleCallback === "undefined") setTimeout(resolve);
    else requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT_MS });
  });
}
