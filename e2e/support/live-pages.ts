import type { BrowserContext, Page, Request } from "playwright/test";

/** Bound for what hangs: a page on a busy machine takes as long as it takes. */
const HANGS_MS = 30_000;

/**
 * Makes every page of a context one to test with: `goto` and `reload` return when the page takes presses, and what its
 * toasts said is kept for `expectToast`. Who waits for no more than "commit" wants the page as it is before its scripts
 * have come. Call it before the first page is opened.
 */
export async function makeLive(context: BrowserContext): Promise<void> {
  await context.addInitScript(recordToasts);
  context.on("page", (page) => {
    const { goto, reload } = page;
    page.goto = async (...args) => {
      const response = await goto.apply(page, args);
      if (args[1]?.waitUntil !== "commit") await untilAlive(page);
      return response;
    };
    page.reload = async (...args) => {
      const response = await reload.apply(page, args);
      await untilAlive(page);
      return response;
    };
  });
}

/**
 * Waits until React has taken over what can be pressed and filled in: before that, a page drawn on the server drops a
 * click, which people repeat and tests do not. Hidden fields are not React's.
 */
async function untilAlive(page: Page): Promise<void> {
  await page
    .waitForFunction(
      () => {
        const controls = [...document.querySelectorAll("button, input:not([type=hidden]), textarea, select")];
        return controls.every((control) => Object.keys(control).some((key) => key.startsWith("__react")));
      },
      undefined,
      { timeout: HANGS_MS },
    )
    .catch(() => {});
}

/** Runs in the page from its beginning. */
function recordToasts(): void {
  const said: string[] = [];
  Object.assign(window, { said });
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      const inside = node.querySelectorAll('[data-slot="toast-content"]');
      for (const toast of node.matches('[data-slot="toast-content"]') ? [node, ...inside] : inside) {
        said.push(toast.textContent ?? "");
      }
    }
  }).observe(document, { childList: true, subtree: true });
}

/**
 * Waits until a toast has said these words since the page was loaded, whether it still stands or not: on a busy machine
 * its four seconds pass between two looks. Each toast counts once, so that an earlier one never answers for a later.
 * @throws Error when none does
 */
export async function expectToast(page: Page, words: string): Promise<void> {
  await page.waitForFunction(takeToast, words, { timeout: HANGS_MS }).catch(() => {
    throw new Error(`No toast said “${words}”.`);
  });
}

/** Runs in the page. */
function takeToast(words: string): boolean {
  const { said } = window as unknown as { said: string[] };
  const index = said.findIndex((text) => text.includes(words));
  if (index >= 0) said.splice(index, 1);
  return index >= 0;
}

/**
 * As when somebody comes back to the tab: a page that refreshes by itself does it now. Gives how often it asked for
 * itself: 0 while it waits.
 */
export async function refreshBySight(page: Page): Promise<number> {
  let count = 0;
  // Which it begins by asking whether the service is there (refresh-when-there.ts).
  const see = (request: Request) => {
    if (new URL(request.url()).pathname === "/api/v1/health/ready") count += 1;
  };
  page.on("request", see);
  await page.evaluate(async () => {
    document.dispatchEvent(new Event("visibilitychange"));
    // What the page asks for goes out before this does.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await fetch(location.href, { method: "HEAD" });
  });
  page.off("request", see);
  return count;
}

/**
 * Keeps what was pending on a page as it is left for another, which is slow to come.
 * @param path of the other
 * @returns what reads it there: the words of the buttons
 */
export async function recordPending(page: Page, path: string): Promise<() => Promise<string | null>> {
  await page.evaluate(() =>
    window.addEventListener("pagehide", () => {
      const buttons = [...document.querySelectorAll("button[data-pending]")];
      sessionStorage.setItem("pending", buttons.map(({ textContent }) => textContent).join());
    }),
  );
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      // As long as a few answers take: whatever would end with the work has ended.
      if (route.request().isNavigationRequest()) for (let count = 0; count < 5; count += 1) await fetch(page.url());
      await route.continue();
    },
  );
  return async () => {
    await page.unrouteAll({ behavior: "wait" });
    return page.evaluate(() => sessionStorage.getItem("pending"));
  };
}

/** Has the server do what an action of the panel asks for, and loses its answer; not that of the look before, for whom the page is. */
export async function loseAnswers(page: Page, isLost = (sent: number) => sent > 1): Promise<void> {
  let sent = 0;
  await page.route("**/{panel,staff}/**", async (route) => {
    if (route.request().method() !== "POST" || !isLost(++sent)) return route.continue();
    await route.fetch();
    await route.abort();
  });
}

/**
 * Holds what is sent with these words back on its way to the server.
 * @returns what waits for it, and what lets it go on
 */
export async function holdSent(page: Page, words: string): Promise<{ isSent: Promise<void>; go: () => void }> {
  const [sent, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/{panel,staff}/**", async (route) => {
    if (route.request().postData()?.includes(words)) {
      sent.resolve();
      await held.promise;
    }
    await route.fallback();
  });
  return { isSent: sent.promise, go: held.resolve };
}
