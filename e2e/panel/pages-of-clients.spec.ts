import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, type Route } from "playwright/test";
import { ADDRESS_PATH, SENT_PATH, UPLOAD_IN_PAGE } from "@/components/docs/snippets/files-pages";
import type { SnippetGroup } from "@/components/docs/snippets/snippet";
import { LINK_IN_PAGE, LINK_PATH } from "@/components/docs/snippets/streaming-pages";
import { startChat } from "@/e2e/api/support/follow-stream";
import { test } from "@/e2e/support/browser-test";
import { newCaller, releaseModel } from "@/e2e/support/suite";

/** What a client's own server answers to its page; the body as the page sent it. */
type Answers = Record<string, (body: string) => Promise<object> | object>;

/** A client's own site, with a page that the documents show. @returns its address, and how to close it */
async function startSite(
  { snippets: [page] }: SnippetGroup,
  answers: Answers,
): Promise<{ url: string; close: () => Promise<unknown> }> {
  const server = createServer(async (request, response) => {
    const answer = answers[request.url ?? ""];
    response.setHeader("content-type", answer ? "application/json" : "text/html; charset=utf-8");
    if (!answer) response.end(`<!doctype html><link rel="icon" href="data:,">${page?.code}`);
    else response.end(JSON.stringify(await answer(await text(request))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close };
}

test.describe("a page that the documents show, on another site,", () => {
  test("writes an answer out while it comes, and has the stream closed once it is whole", async ({ page, faults }) => {
    const { api } = await newCaller();
    const held = "Say it [[chunk:9]] [[answer:The quick brown fox]] [[hold:linked-page]]";
    const sessionId = await startChat(api, held);
    const { body } = await api.post(`/chat/${sessionId}/stream-links`, {});
    const site = await startSite(LINK_IN_PAGE, { [LINK_PATH]: () => body });
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
    const site = await startSite(LINK_IN_PAGE, { [LINK_PATH]: () => body });
    try {
      await page.goto(site.url);
      await expect(page.locator("#answer")).toHaveText(session.error.message);
    } finally {
      await site.close();
    }
    faults.foreignRequests.length = 0;
  });

  test("goes on by a new link, behind what it has, where the browser gives up", async ({ page, faults }) => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "Say it [[chunk:9]] [[slow:100ms]] [[answer:The quick brown fox]]");
    const first = (await api.stream(`/chat/${sessionId}/stream`))?.find(({ event }) => event === "chunk");
    const begun = `retry: 1\n\nid: ${first?.id}\nevent: chunk\ndata: ${JSON.stringify(first?.data)}\n\n`;
    const open = { status: 200, contentType: "text/event-stream", body: begun };
    // Refused at once; broken off, and refused when the browser comes back.
    const answers = [{ status: 429 }, open, { status: 503 }];
    await page.route(/\/streams\//, (route) => {
      const answer = answers.shift();
      return answer ? route.fulfill({ ...answer, headers: { "Access-Control-Allow-Origin": "*" } }) : route.continue();
    });
    const link = async () => (await api.post(`/chat/${sessionId}/stream-links`, {})).body as object;
    const site = await startSite(LINK_IN_PAGE, { [LINK_PATH]: link });
    // Its own server has none at first, and cannot be reached then: a service that is away is so for both.
    const links = [(route: Route) => route.fulfill({ status: 502, body: "<html>" }), (route: Route) => route.abort()];
    await page.route(`**${LINK_PATH}`, (route) => links.shift()?.(route) ?? route.continue());
    try {
      await page.clock.install();
      await page.goto(site.url);
      await expect(async () => {
        await page.clock.runFor(5_000);
        await expect(page.locator("#answer")).toHaveText("The quick brown fox", { timeout: 500 });
      }).toPass();
      expect([...links, ...answers]).toEqual([]);
    } finally {
      await site.close();
    }
    faults.foreignRequests.length = 0;
    // The browser says that it was refused.
    faults.errors.length = 0;
  });

  test("sends its user's file, which its server never holds", async ({ page, faults }) => {
    const { api } = await newCaller();
    const content = "item,price\ntea,3\ncake,5\n".repeat(50_000);
    let started: { status: number; body: { sessionId: string; fileUrl: string } } | undefined;
    const site = await startSite(UPLOAD_IN_PAGE, {
      [ADDRESS_PATH]: async (asked) => (await api.post("/uploads", asked)).body,
      [SENT_PATH]: async (sent) => {
        started = await api.upload("/process", { ...JSON.parse(sent), prompt: "Sum up" });
        return {};
      },
    });
    try {
      await page.goto(site.url);
      const file = { name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from(content) };
      await page.getByLabel("File").setInputFiles(file);
      await expect.poll(() => started?.status).toBe(202);
    } finally {
      await site.close();
    }
    expect(await (await fetch(started?.body.fileUrl ?? "")).text()).toBe(content);
    expect(await api.waitUntilDone(`/process/${started?.body.sessionId}`)).toMatchObject({
      status: "completed",
      fileName: "prices.csv",
    });
    faults.foreignRequests.length = 0;
  });
});
