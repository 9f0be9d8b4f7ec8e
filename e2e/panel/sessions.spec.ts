import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { refreshBySight } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { cookieOf, type PanelAccount, panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { pathOf, SESSIONS, turn, useSessionOwner } from "@/e2e/support/panel-sessions";
import { saveScreenshot } from "@/e2e/support/screenshots";
import { releaseModel, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

const { own, api, start, finished, processed } = useSessionOwner();

/** Runs in the page: of a row's cells which share of it each has, and whose buttons stand out of theirs. */
function measureCells(row: Element) {
  const cells = [...row.querySelectorAll("td")];
  return {
    shares: cells.map((cell) => cell.clientWidth / row.clientWidth),
    cutOff: cells
      .filter((cell) => cell.querySelector(".button") && cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.textContent),
  };
}

test.describe("sessions", () => {
  test("are taken as CSV as the filters let them through, by those who may, and the audit log says so", async ({
    page,
    context,
  }) => {
    const other = await panelAccount();
    const client = apiClient(suite.url, other.apiKey);
    const mine = await finished("=1+1 for the sheet", { endUserId: "ada" }, client);
    await finished("Left out", { endUserId: "bob" }, client);
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(`${SESSIONS}?endUserId=ada`);
    await expect(page.getByRole("row")).toHaveCount(2);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "List as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("sessions.csv");
    const [, line, ...more] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    expect(line).toContain(`,${mine},chat,completed,,'=1+1 for the sheet,ada,`);
    expect(more).toEqual([]);
    await expectWellMade(page, "sessions-csv");
    const { after } = await prisma().auditEntry.findFirstOrThrow({
      where: { action: "csv.sessions", accountId: other.accountId },
    });
    expect(after).toEqual({ endUserId: "ada" });
    const member = await other.addPerson("member");
    const file = (headers?: Record<string, string>, query = "") =>
      fetch(`${suite.url}${SESSIONS}/sessions.csv${query}`, { headers });
    expect((await file(cookieOf(member))).status, "files are for admins").toBe(404);
    expect((await file()).status).toBe(401);
    expect((await file(cookieOf(own.owner), "?status=x")).status).toBe(400);
    expect(await (await file(cookieOf(own.owner), `?q=${mine}`)).text(), "another company's").not.toContain(mine);
    await signInContext(context, member);
    await page.goto(SESSIONS);
    await expect(page.getByRole("row")).toHaveCount(3);
    await expect(page.getByRole("link", { name: "CSV", exact: true })).toHaveCount(0);
  });

  test("give their answers as a table: of a schema a column for each value, by those who may, and the audit log says so", async ({
    page,
    context,
  }) => {
    const other = await panelAccount();
    const client = apiClient(suite.url, other.apiKey);
    const outputSchema = {
      type: "object",
      properties: { number: { type: "integer" }, sum: { type: "number" } },
    };
    const read = '[[answer:{"number":12345678901234567890,"sum":-12.50}]]';
    const mine = await finished(`Read it ${read}`, { endUserId: "ada", outputSchema }, client);
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(`${SESSIONS}?endUserId=ada`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Answers as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("answers.csv");
    const [head, line, ...more] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    expect(head).toMatch(/,creditsUsed,number,sum,answer$/);
    expect(line).toContain(`,${mine},1,,`);
    expect(line).toContain(",12345678901234567890,-12.50,");
    expect(more).toEqual([]);
    const where = { action: "csv.answers", accountId: other.accountId };
    expect((await prisma().auditEntry.findFirstOrThrow({ where })).after).toEqual({ endUserId: "ada" });
    const file = (headers?: Record<string, string>, query = "") =>
      fetch(`${suite.url}${SESSIONS}/answers.csv${query}`, { headers });
    expect((await file(cookieOf(await other.addPerson("member")))).status, "files are for admins").toBe(404);
    expect((await file()).status).toBe(401);
    expect((await file(cookieOf(own.owner), "?status=x")).status).toBe(400);
    expect(await (await file(cookieOf(own.owner), `?q=${mine}`)).text(), "another company's").not.toContain(mine);
  });

  test("lists sessions with what they took, and finds them by filters and ids", async ({ page }) => {
    const ada = await finished("How is the weather?", { endUserId: "ada" });
    const file = await processed("letter.txt", "Dear all", "Summarise");
    await page.goto(SESSIONS);
    const row = page.getByRole("row").filter({ hasText: "How is the weather?" });
    await expect(row).toContainText(/completed.*ada/);
    await expect(page.getByRole("row").filter({ hasText: "letter.txt" })).toBeVisible();
    await page.getByRole("button", { name: "Kind" }).click();
    await page.getByRole("button", { name: "Processing" }).click();
    await expect(page).toHaveURL(/kind=process/);
    await expect(row).toHaveCount(0);
    await page.goto(`${SESSIONS}?endUserId=ada`);
    await expect(page.getByRole("row")).toHaveCount(2);
    const { requestId } = await prisma().turn.findFirstOrThrow({ where: { sessionId: file } });
    await page.goto(`${SESSIONS}?q=${requestId}`);
    await expect(page.getByRole("row")).toHaveCount(2);
    await page.getByRole("row").getByRole("link").click();
    await expect(page).toHaveURL(pathOf(file));
    await expect(page).toHaveTitle("letter.txt · AI Processing Service");
    await page.goto(`${SESSIONS}?status=odd`);
    await expect(page.getByText("This filter cannot be read")).toBeVisible();
    expect(ada).not.toBe(file);
  });

  test("shows a session that runs as running until it has ended, without a reload", async ({ page }) => {
    const hold = randomUUID();
    const sessionId = await start(`Take your time [[hold:${hold}]]`, { endUserId: "slow-one" });
    await page.goto(`${SESSIONS}?endUserId=slow-one`);
    const row = page.getByRole("row").filter({ hasText: "Take your time" });
    await expect(row).toContainText("started");
    await releaseModel(hold);
    await api().waitUntilDone(`/chat/${sessionId}`);
    await expect(row).toContainText("completed", { timeout: 15_000 });
  });

  test("keeps the rows in their places while sessions come in, updates them, and brings the new ones in when asked", async ({
    page,
    context,
    faults,
  }) => {
    const hold = randomUUID();
    const first = await start(`I was here first [[hold:${hold}]]`, { endUserId: "steady" });
    await page.goto(`${SESSIONS}?endUserId=steady`);
    const row = page.getByRole("row").filter({ hasText: "I was here first" });
    const link = row.getByRole("link");
    await expect(row).toContainText("started");
    const place = await link.boundingBox();
    // While the service cannot be reached it stays: the browser's own error would stay in its place for good.
    const unreached = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/health/ready"));
    await context.setOffline(true);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await unreached;
    await context.setOffline(false);
    faults.errors = faults.errors.filter((error) => !error.includes("ERR_INTERNET_DISCONNECTED"));
    await finished("I came later", { endUserId: "steady" });
    await refreshBySight(page);
    const show = page.getByRole("button", { name: "Show 1 new session", exact: true });
    await expect(show).toBeVisible();
    await expect(page.locator("[aria-live=polite]").filter({ hasText: /^1 new session$/ })).toBeAttached();
    await releaseModel(hold);
    await api().waitUntilDone(`/chat/${first}`);
    await refreshBySight(page);
    await expect(row).toContainText("completed");
    expect(await link.boundingBox()).toEqual(place);
    await expect(page.getByRole("row")).toHaveCount(2);
    await expectWellMade(page, "sessions-new-ones");
    await show.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("row")).toHaveCount(3);
    await expect(page.getByRole("row").nth(1)).toContainText("I came later");
    await expect(show).toHaveCount(0);
    // The rows of another place or filter are all its own.
    await page.goto(`${SESSIONS}?endUserId=nobody-yet`);
    await start("The very first", { endUserId: "nobody-yet" });
    await refreshBySight(page);
    await expect(page.getByRole("row").filter({ hasText: "The very first" })).toBeVisible();
  });
  test.describe("is well made", () => {
    let busy: PanelAccount;
    let chat: string;
    let file: string;

    test.beforeAll(async () => {
      busy = await panelAccount();
      const client = apiClient(suite.url, busy.apiKey);
      const rows = "| Tour 3 | 14.2 kg | 1,290 |\n| Tour 5 | 12.8 kg | 1,890 |";
      const table = `| Model | Weight | Price |\n|---|---|---|\n${rows}`;
      const answer = `## Two bicycles\n\nFor **40 km** a day:\n\n${table}\n\n1. Try the *Tour 5* first.\n2. Then the Tour 3.`;
      chat = await finished(
        `Which bicycle suits a commute? [[answer:${answer}]]`,
        { endUserId: "customer-42", callbackUrl: "https://client.example/hook" },
        client,
      );
      const drawing = 'Draw it [[tool:create_image {"prompt":"a red bicycle"}]]';
      await client.post("/chat", { sessionId: chat, endUserId: "customer-42", message: drawing });
      await client.waitUntilDone(`/chat/${chat}`);
      file = await processed("quarterly-report.txt", "Figures\n".repeat(900), "Summarise in three points", client);
      await finished("Good evening [[fail:400]]", { endUserId: "customer-7" }, client);
    });

    test.beforeEach(async ({ context }) => {
      await context.clearCookies();
      await signInContext(context, await busy.addPerson("owner"));
    });

    test("as a list", async ({ page }) => {
      await page.goto(SESSIONS);
      await expect(page.getByRole("row")).toHaveCount(4);
      await expectWellMade(page, "sessions");
    });

    test("as a conversation with what the AI saw", async ({ page }) => {
      await page.goto(pathOf(chat));
      await expect(turn(page, 2)).toBeVisible();
      await turn(page, 1).getByText("What the AI saw").click();
      await turn(page, 2).getByRole("img", { name: "image.png" }).scrollIntoViewIfNeeded();
      await expect(turn(page, 2).getByRole("img", { name: "image.png" })).toHaveJSProperty("complete", true);
      await page.evaluate(() => window.scrollTo(0, 0));
      await expectWellMade(page, "session");
    });

    test("on paper, where no time counts along and nothing can be pressed", async ({ page }) => {
      await page.goto(pathOf(chat));
      const began = page.getByRole("main").locator("dl time").first();
      await expect(began).toHaveText(/just now| ago/);
      await page.emulateMedia({ media: "print" });
      await expect(began).toHaveText(/^\d{1,2} \w{3} \d{4}, \d{2}:\d{2}:\d{2}$/);
      await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
      await expect(page.getByText(/^Local times are those of \S+\.$/)).toBeVisible();
      await saveScreenshot(page, "session-paper", 1280, "light");
      await page.emulateMedia({ media: null });
      await expect(began).toHaveText(/just now| ago/);
      // Firefox waits for nothing but what listens to this.
      const printed = began.evaluate((time) => {
        window.dispatchEvent(new Event("beforeprint"));
        return time.textContent;
      });
      expect(await printed).toMatch(/^\d{1,2} \w{3} \d{4}, \d{2}:\d{2}:\d{2}$/);
      await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
      await expect(began).toHaveText(/just now| ago/);

      await page.setViewportSize({ width: 794, height: 1123 });
      await page.goto("/panel");
      await page.emulateMedia({ media: "print" });
      const latest = page.getByRole("region", { name: "Recent sessions" }).locator("time").first();
      await expect(latest).toHaveText(/\d{2}:\d{2}:\d{2}$/);
      await expectNoSidewaysScroll(page);

      await page.goto(SESSIONS);
      const cell = page
        .getByRole("cell")
        .filter({ has: page.locator("time") })
        .first();
      await expect(cell).toHaveText(/\d{2}:\d{2}:\d{2}$/);
      expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), "cut off").toBe(0);
      const time = cell.locator("time");
      expect(await time.evaluate((shown) => shown.getClientRects().length), "lines of a time").toBe(1);
    });

    test("while the answer is written", async ({ page }) => {
      const hold = randomUUID();
      const client = apiClient(suite.url, busy.apiKey);
      const message = `Which lock? [[hold:${hold}]] [[chunk:40]] [[answer:A **folding lock** of level 10 suits it, for two reasons.]]`;
      const sessionId = await start(message, {}, client);
      await page.goto(pathOf(sessionId));
      await expect(turn(page, 1).getByRole("status")).toHaveText("Writing");
      await expectWellMade(page, "session-writing");
      await releaseModel(hold);
      await client.waitUntilDone(`/chat/${sessionId}`);
    });

    test("with its files", async ({ page }) => {
      await page.goto(`${pathOf(file)}?tab=files`);
      await expect(page.getByRole("row")).toHaveCount(2);
      await expectWellMade(page, "session-files");
      // What was read is the longest text there: the other columns leave it half of the table, and are not cut off for it.
      const widths = await page.getByRole("row").last().evaluate(measureCells);
      expect(widths.shares[1]).toBeGreaterThan(0.4);
      expect(widths.cutOff).toEqual([]);
    });

    test("with its timeline", async ({ page }) => {
      await page.goto(`${pathOf(chat)}?tab=timeline`);
      await expect(page.getByRole("list", { name: "Timeline" })).toBeVisible();
      await expectWellMade(page, "session-timeline");
    });

    test("while it is empty", async ({ page, context }) => {
      const fresh = await panelAccount();
      await context.clearCookies();
      await signInContext(context, await fresh.addPerson("owner"));
      await page.goto(SESSIONS);
      await expect(page.getByText("No sessions yet")).toBeVisible();
      await expectWellMade(page, "sessions-empty");
    });
  });
});
