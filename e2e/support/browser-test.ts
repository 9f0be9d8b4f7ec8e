import axe from "axe-core";
import { test as base, expect, type Page } from "playwright/test";

/** The service under test: set by the global setup, or by hand. */
export function serviceUrl(): string {
  const url = process.env.E2E_BASE_URL;
  if (!url) throw new Error("E2E_BASE_URL is not set: the global setup did not run.");
  return url;
}

/** What no page may ever do, whatever a test is about. */
interface PageFaults {
  /** Errors of scripts, of the console, and of the content security policy. */
  errors: string[];
  /** Requests to anywhere but the service. */
  foreignRequests: string[];
}

/**
 * A browser test: relative addresses lead to the service, and it fails when a page logs an error or asks another
 * origin for anything. A test that provokes errors takes them out of `faults.errors` itself.
 */
export const test = base.extend<{ faults: PageFaults; checkFaults: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's form wants a pattern
  baseURL: async ({}, use) => use(serviceUrl()),
  faults: async ({ context }, use) => {
    const faults: PageFaults = { errors: [], foreignRequests: [] };
    const origin = new URL(serviceUrl()).origin;
    context.on("weberror", (event) => faults.errors.push(String(event.error())));
    context.on("console", (message) => {
      if (message.type() === "error") faults.errors.push(message.text());
    });
    context.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) {
        faults.foreignRequests.push(request.url());
      }
    });
    await use(faults);
  },
  checkFaults: [
    async ({ faults }, use) => {
      await use(undefined);
      expect(faults).toEqual({ errors: [], foreignRequests: [] });
    },
    { auto: true },
  ],
});

/** Fails with what is wrong and where, when axe finds anything against WCAG 2.2 AA or good practice. */
export async function expectAccessible(page: Page) {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: loaded } = window as unknown as { axe: typeof axe };
    const results = await loaded.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
  });
  expect(violations).toEqual([]);
}

/** Fails when the page can be scrolled sideways. */
export async function expectNoSidewaysScroll(page: Page) {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: innerWidth,
  }));
  expect(content).toBeLessThanOrEqual(window);
}
