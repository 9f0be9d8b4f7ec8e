import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "playwright/test";
import { LINK_IN_PAGE, LINK_PATH } from "@/components/docs/snippets/streaming-pages";
import { startChat } from "@/e2e/api/support/follow-stream";
import { test } from "@/e2e/support/browser-test";
import { newCaller, releaseModel } from "@/e2e/support/suite";

/** A client's own site: the page that the documents show, and the link of its user. @returns its address, and how to close it */
async function startSite(link: object): Promise<{ url: string; close: () => Promise<unknown> }> {
  const [page] = LINK_IN_PAGE.snippets;
  const server = createServer((request, response) => {
    const isLink = request.url === LINK_PATH;
    response.setHeader("content-type", isLink ? "application/json" : "text/html; charset=utf-8");
    response.end(isLink ? JSON.stringify(link) : `<!doctype html><link rel="icon" href="data:,">${page?.code}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close };
}

test.describe("the page that the documents show, on another site", () => {
  test("writes an answer out while it comes, and has the stream closed once it is whole", async ({ page, faults }) => {
    const { api } = await newCaller();
    const held = "Say it [[chunk:9]] [[answer:The quick brown fox]] [[hold:linked-page]]";
    const sessionId = await startChat(api, held);
    const { body } = await api.post(`/chat/${sessionId}/stream-links`, {});
    const site = await startSite(body);
    try {
      await page.addInitScript(() => {
        const streams: EventSource[] = [];
        Object.assign(window, { streams });
        window.EventSource = new Proxy(EventSource, {
          construct: (target, args: [string]) => {
            const stream = new target(...args);
            streams.push(stream);
            return stream;
          },
        });
      });
      await page.goto(site.url);
      await expect(page.locator("#answer")).toHaveText("The quick");
      await releaseModel("linked-page");
      await expect(page.locator("#answer")).toHaveText("The quick brown fox");
      const states = () =>
        page.evaluate(() =>
          (window as unknown as { streams: EventSource[] }).streams.map(({ readyState }) => readyState),
        );
      await expect.poll(states, "closed, and never opened again").toEqual([2]);
    } finally {
      await site.close();
    }
    faults.foreignRequests.length = 0;
  });

  test("says why an answer failed", async ({ page, faults }) => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "Say it [[fail:400]]");
    const session = await api.waitUntilDone<{ error: { message: string } }>(`/chat/${sessionId}`);
    const { body } = await api.post(`/chat/${sessionId}/stream-links`, {});
    const site = await startSite(body);
    try {
      await page.goto(site.url);
      await expect(page.locator("#answer")).toHaveText(session.error.message);
    } finally {
      await site.close();
    }
    faults.foreignRequests.length = 0;
  });
});
