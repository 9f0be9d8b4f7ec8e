import { randomUUID } from "node:crypto";
import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { cookieOf, signInContext, type TestPerson } from "@/e2e/support/panel-browser";
import { pathOf, turn, useSessionOwner } from "@/e2e/support/panel-sessions";
import { releaseModel, suite } from "@/e2e/support/suite";
import { removeMember } from "@/lib/services/members/change-members";
import { revokeOtherSessions } from "@/lib/services/people/manage-person-sessions";

const { own, api, start, finished } = useSessionOwner();

test.describe("sessions", () => {
  test("shows an answer chunk by chunk as it is written, then what it took", async ({ page }) => {
    const words = Array.from({ length: 150 }, (_, index) => `word${index}`).join(" ");
    const hold = randomUUID();
    const sessionId = await start(`Stream [[hold:${hold}]] [[slow:100ms]] [[chunk:12]] [[answer:${words}]]`);
    await page.goto(pathOf(sessionId));
    const answer = turn(page, 1).locator(".markdown");
    await expect(answer).toContainText("word1");
    await expect(turn(page, 1).getByRole("status")).toHaveText("Writing");
    await releaseModel(hold);
    const lengths = new Set<number>();
    await expect
      .poll(
        async () => {
          lengths.add((await answer.textContent())?.length ?? 0);
          return lengths.size;
        },
        { intervals: [50] },
      )
      .toBeGreaterThan(5);
    await expect(turn(page, 1).getByRole("list", { name: "What it took" })).toContainText(/[1-9]\d* tokens in/, {
      timeout: 40_000,
    });
    await expect(answer).toContainText("word149");
    await expect(page.locator("header").filter({ hasText: "Sessions" })).toContainText("completed");
  });

  test("goes along with the answer while its reader looks at the end, and leaves who reads further up alone", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1000, height: 420 });
    const lines = Array.from({ length: 400 }, (_, index) => `- line ${index}`).join("\n");
    const hold = randomUUID();
    const sessionId = await start(`Long [[hold:${hold}]] [[slow:100ms]] [[chunk:14]] [[answer:${lines}]]`);
    await page.goto(pathOf(sessionId));
    const status = turn(page, 1).getByRole("status");
    const answer = turn(page, 1).locator(".markdown");
    await expect(answer).toContainText("line");
    await releaseModel(hold);
    await expect(answer.getByText("line 1", { exact: true })).toBeVisible();
    await status.scrollIntoViewIfNeeded();
    await expect(answer.getByText("line 40", { exact: true })).toBeAttached();
    await expect(status).toBeInViewport();
    await page.mouse.move(300, 200);
    await page.mouse.wheel(0, -100_000);
    await expect(page.getByRole("button", { name: "Follow the answer" })).toBeVisible();
    await expect(answer.getByText("line 70", { exact: true })).toBeAttached();
    await expect(page.getByRole("heading", { level: 1 })).toBeInViewport();
    await page.getByRole("button", { name: "Follow the answer" }).click();
    await expect(status).toBeInViewport();
    await api().post(`/chat/${sessionId}/cancel`, {});
  });

  test("goes along also where the browser moves the page back by a pixel, as Firefox does, and not where its reader does so slowly", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1000, height: 420 });
    const lines = Array.from({ length: 400 }, (_, index) => `- line ${index}`).join("\n");
    const hold = randomUUID();
    const sessionId = await start(`Rounded [[hold:${hold}]] [[slow:100ms]] [[chunk:14]] [[answer:${lines}]]`);
    await page.goto(pathOf(sessionId));
    const status = turn(page, 1).getByRole("status");
    const line = (number: number) => turn(page, 1).locator(".markdown").getByText(`line ${number}`, { exact: true });
    await releaseModel(hold);
    await expect(line(1)).toBeVisible();
    await status.scrollIntoViewIfNeeded();
    await expect(line(10)).toBeInViewport();
    await page.evaluate(() => scrollBy(0, -1));
    await expect(line(40)).toBeAttached();
    await expect(status).toBeInViewport();
    await page.evaluate(async () => {
      for (let step = 0; step < 8; step += 1) {
        scrollBy(0, -1);
        await new Promise(requestAnimationFrame);
      }
    });
    await expect(page.getByRole("button", { name: "Follow the answer" })).toBeVisible();
    await api().post(`/chat/${sessionId}/cancel`, {});
  });

  test("goes on with a running answer where it was, also when a proxy answers meanwhile in place of the service", async ({
    page,
    faults,
  }) => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
    const sessionId = await start(`Proxied [[slow:200ms]] [[chunk:6]] [[answer:${words}]]`);
    const stream = await fetch(`${suite.url}${pathOf(sessionId)}/stream`, {
      headers: cookieOf(await own.account.addPerson("member")),
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let begun = "";
    while (!/event: chunk\n.*\n\n$/.test(begun)) begun += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    const answers = [
      { status: 502, body: "<html>Bad gateway</html>" },
      { status: 200, contentType: "text/event-stream", body: begun },
      { status: 503, headers: { "Retry-After": "1" } },
    ];
    const asked: (string | undefined)[] = [];
    await page.route("**/stream", (route) => {
      asked.push(route.request().headers()["last-event-id"]);
      const answer = answers.shift();
      return answer ? route.fulfill(answer) : route.continue();
    });
    await page.goto(pathOf(sessionId));
    await expect(turn(page, 1).getByRole("status")).toHaveText("Writing");
    await expect(turn(page, 1).locator(".markdown")).toHaveText(words, { timeout: 40_000 });
    const id = [...begun.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
    expect(asked).toEqual([undefined, undefined, id, id]);
    // The browser itself reports what was refused.
    faults.errors = faults.errors.filter((error) => !/50[23]/.test(error));
  });

  test("stays when the connection of a running answer is lost, and the service cannot be reached", async ({
    page,
    faults,
  }) => {
    const hold = randomUUID();
    const sessionId = await start(`Lost [[hold:${hold}]]`);
    await page.route("**/stream", (route) => route.fulfill({ status: 404 }));
    await page.route("**/health/ready", (route) => route.abort());
    const anew: string[] = [];
    page.on("request", (request) => {
      if (request.headers().rsc !== undefined && request.url().includes(sessionId)) anew.push(request.url());
    });
    const unreached = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/health/ready"));
    await page.goto(pathOf(sessionId));
    await unreached;
    await expect(page.getByText("The connection was lost, the work goes on")).toBeVisible();
    expect(anew).toEqual([]);
    await page.unrouteAll();
    await releaseModel(hold);
    await expect(page.locator("main")).toContainText("completed");
    // The browser itself reports what did not answer.
    faults.errors = faults.errors.filter((error) => !/404|ERR_FAILED/.test(error));
  });

  test("stops what runs, and charges nothing for it", async ({ page }) => {
    const sessionId = await start("Never ends [[answer:Begun]] [[stall]]");
    await page.goto(pathOf(sessionId));
    await expect(turn(page, 1).getByRole("status")).toBeVisible();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop it" }).click();
    await expect(turn(page, 1)).toContainText("canceled", { timeout: 15_000 });
    await expect(turn(page, 1)).toContainText("0 credits");
    await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0);
    expect((await api().get(`/chat/${sessionId}`)).body.status).toBe("canceled");
  });

  test("shows a turn that a call adds while the page is open", async ({ page }) => {
    const sessionId = await finished("First");
    await page.goto(pathOf(sessionId));
    await expect(turn(page, 1)).toContainText("Echo: First");
    await api().post("/chat", { sessionId, message: "Second" });
    await expect(turn(page, 2)).toContainText("Echo: Second", { timeout: 25_000 });
  });

  test("lets members watch and stop, and keeps deletion from them", async ({ page, context }) => {
    const sessionId = await start("Member [[stall]]");
    await signInContext(context, await own.account.addPerson("member"));
    await page.goto(pathOf(sessionId));
    await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop it" }).click();
    await expect(turn(page, 1)).toContainText("canceled", { timeout: 15_000 });
  });

  const ends: [string, number, (person: TestPerson) => Promise<unknown>][] = [
    ["is signed out", 401, ({ userId }) => revokeOtherSessions({ kind: "owner", userId }, userId, null)],
    [
      "is removed from the team",
      404,
      ({ userId }) =>
        removeMember({ accountId: own.account.accountId, role: "owner", actor: { kind: "operator" } }, userId),
    ],
  ];
  for (const [what, status, end] of ends) {
    test(`streams nothing more within seconds to who ${what}`, async () => {
      const hold = randomUUID();
      const sessionId = await start(`Stream [[hold:${hold}]] [[answer:Not for them]]`);
      const person = await own.account.addPerson("member");
      const open = () => fetch(`${suite.url}${pathOf(sessionId)}/stream`, { headers: cookieOf(person) });
      const stream = await open();
      expect(stream.status).toBe(200);
      const text = stream.text();
      text.catch(() => {});
      await end(person);
      await expect(text).rejects.toThrow("terminated");
      expect((await open()).status).toBe(status);
      await releaseModel(hold);
    });
  }
});
