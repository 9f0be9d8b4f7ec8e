import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
} from "playwright/test";
import { makeLive } from "@/e2e/support/live-pages";

/** The service under test: set by the global setup, or by hand. */
export function serviceUrl(): string {
  const url = process.env.E2E_BASE_URL;
  if (!url) throw new Error("E2E_BASE_URL is not set: the global setup did not run.");
  return url;
}

const VIEWPORT = { width: 1280, height: 900 };

/** All but the cache of what was loaded. */
const STORAGE_TYPES = "local_storage,session_storage,indexeddb,cache_storage,service_workers";

/** What no page may ever do, whatever a test is about. */
interface PageFaults {
  /** Errors of scripts, of the console, and of the content security policy. */
  errors: string[];
  /** Requests to anywhere but the service. */
  foreignRequests: string[];
}

/**
 * A browser test: relative addresses lead to the service, the pages of all contexts are live ones (live-pages.ts), and
 * it fails when a page logs an error or asks another origin for anything. A test that provokes errors takes them out of
 * `faults.errors` itself.
 *
 * The tests of a worker follow each other in one context, emptied after each: a new one would load and compile the
 * scripts of the panel anew for every test, which took more time than the tests.
 */
export const test = base.extend<
  { faults: PageFaults; checkFaults: undefined },
  { workerContext: BrowserContext; workerOrigin: string }
>({
  // Of `request`; the context has it from the start.
  baseURL: async ({ workerOrigin }, use) => use(workerOrigin),
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's form wants a pattern
  workerOrigin: [async ({}, use) => use(new URL(serviceUrl()).origin), { scope: "worker" }],
  browser: [
    async ({ workerContext }, use) => {
      const browser = workerContext.browser();
      if (!browser) throw new Error("The context has no browser.");
      const { newContext } = browser;
      browser.newContext = async (options) => {
        const context = await newContext.call(browser, options);
        if (options?.javaScriptEnabled !== false) await makeLive(context);
        return context;
      };
      await use(browser);
    },
    { scope: "worker" },
  ],
  workerContext: [
    async ({ playwright, launchOptions, workerOrigin }, use) => {
      const profile = await mkdtemp(join(tmpdir(), "browser-"));
      // Motion would be waited for at each press.
      const options = { ...launchOptions, baseURL: workerOrigin, viewport: VIEWPORT, reducedMotion: "reduce" as const };
      // What was compiled is kept in a profile on disk alone: a page of a context without one compiles it all anew.
      const context = await playwright.chromium.launchPersistentContext(profile, options);
      await makeLive(context);
      await use(context);
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
    { scope: "worker" },
  ],
  context: async ({ workerContext, workerOrigin }, use) => {
    await use(workerContext);
    await emptyContext(workerContext, workerOrigin);
  },
  faults: async ({ context, workerOrigin }, use) => {
    const faults: PageFaults = { errors: [], foreignRequests: [] };
    const onError = (event: { error(): unknown }) => faults.errors.push(String(event.error()));
    const onConsole = (message: ConsoleMessage) => {
      if (message.type() === "error") faults.errors.push(message.text());
    };
    const onRequest = (request: Request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== workerOrigin) {
        faults.foreignRequests.push(request.url());
      }
    };
    context.on("weberror", onError).on("console", onConsole).on("request", onRequest);
    await use(faults);
    context.off("weberror", onError).off("console", onConsole).off("request", onRequest);
  },
  checkFaults: [
    async ({ faults }, use) => {
      await use(undefined);
      expect(faults).toEqual({ errors: [], foreignRequests: [] });
    },
    { auto: true },
  ],
});

/** Takes away what a test left in the context, but for the scripts that its pages loaded. */
async function emptyContext(context: BrowserContext, origin: string): Promise<void> {
  const [first, ...others] = context.pages();
  if (!first) throw new Error("The first page of the context was closed.");
  const session = await context.newCDPSession(first);
  await Promise.all(others.map((page) => page.close()));
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: STORAGE_TYPES });
  await session.detach();
  await Promise.all([
    context.clearCookies(),
    context.clearPermissions(),
    context.unrouteAll({ behavior: "ignoreErrors" }),
  ]);
}

const ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Fails with what is wrong and where, when axe finds anything against WCAG 2.2 AA or good practice. Looks again for a
 * while: a page that is just changing its colours is between two of them.
 * @param what "colours": the contrast of texts alone, for a page that differs from one looked at before in its colours
 */
export async function expectAccessible(page: Page, what: "everything" | "colours" = "everything") {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await expect.poll(() => page.evaluate(findFaults, what === "colours" ? ["color-contrast"] : ALL_RULES)).toEqual([]);
}

/** Runs in the page. */
async function findFaults(runOnly: string[]): Promise<string[]> {
  const { axe: loaded } = window as unknown as { axe: typeof axe };
  const results = await loaded.run(document, { runOnly, resultTypes: ["violations"] });
  return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}

/** Fails when the page can be scrolled sideways. */
export async function expectNoSidewaysScroll(page: Page) {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: innerWidth,
  }));
  expect(content).toBeLessThanOrEqual(window);
}
