import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "playwright/test";
import { formatDay, formatMonth } from "@/components/ui/format-time";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { finishedChat } from "@/e2e/support/finished-chat";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  cookieOf,
  type PanelAccount,
  panelAccount,
  signedInPage,
  signInContext,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { suite } from "@/e2e/support/suite";
import type { UsageReport } from "@/lib/contracts/usage";
import { prisma } from "@/lib/db/prisma";
import { ERASED_END_USER } from "@/lib/domain/end-user-id";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { addDays, dateOf, monthOf } from "@/lib/domain/usage-period";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createApiKey, createPlaygroundKey } from "@/lib/services/api-keys/create-api-key";
import { createProject } from "@/lib/services/projects/create-project";

const PATH = "/panel/usage";
const TODAY = dateOf(new Date());
const HOSTILE = `"><img src=x onerror=window.hacked=1>`;
const MALICIOUS_FORMULA = "=1+1";

const own = usePanelOwner();

test.beforeAll(async () => {
  await seed(own.account);
});

test("a chart fits on paper, whose width no script is told", async ({ browser }) => {
  const { page, context } = await signedInPage(browser, {
    account: own.account,
    viewport: { width: 1000, height: 900 },
  });
  await page.addInitScript(() => {
    window.ResizeObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
  });
  await page.goto(PATH);
  const figure = page.getByRole("figure", { name: "Tokens per day by endpoint" });
  const drawing = figure.locator(".recharts-wrapper");
  await expect(drawing).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 794, height: 1123 });
  const width = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().width);
  expect(await width(drawing)).toBe(await width(figure));
  expect(await width(drawing.locator("svg").first())).toBe(await width(figure));
  await context.close();
});

interface Used {
  daysAgo: number;
  endpoint?: string;
  endUserId?: string;
  size?: number;
}

async function use({ accountId, projectId }: Pick<PanelAccount, "accountId" | "projectId">, uses: Used[]) {
  await prisma().usageDay.createMany({
    data: uses.map(({ daysAgo, endpoint = "POST /chat", endUserId = "", size = 1 }) => ({
      ...{ accountId, projectId, endpoint, endUserId },
      day: new Date(`${addDays(TODAY, -daysAgo)}T00:00:00.000Z`),
      requests: 3 * size,
      tokensIn: 1_000n * BigInt(size),
      tokensOut: 250n * BigInt(size),
      credits: 2 * size,
    })),
  });
}

/** Forty days of three endpoints and two end users, larger and smaller; and the next one, which may begin meanwhile. */
async function seed(of: PanelAccount) {
  const days = Array.from({ length: 41 }, (_, index) => index - 1);
  await use(
    of,
    days.flatMap((daysAgo): Used[] => [
      { daysAgo, endUserId: "customer-42", size: 1 + (((daysAgo + 1) * 7) % 11) },
      { daysAgo, endpoint: "POST /process", size: 1 + (((daysAgo + 1) * 5) % 7) },
      ...(daysAgo % 3 === 0 ? [{ daysAgo, endpoint: "POST /b2b/send", endUserId: "customer-7", size: 4 }] : []),
    ]),
  );
  await use(of, [{ daysAgo: 1, endUserId: MALICIOUS_FORMULA }]);
}

const figure = (page: Page, name: string) =>
  page.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });
const lines = (page: Page) => page.getByRole("table", { name: /^Usage per/ }).locator("tbody tr");
const exported = (person: TestPerson, query = "") =>
  fetch(`${suite.url}${PATH}/export.csv${query}`, { headers: cookieOf(person) });

async function expectSameSums(page: Page, query: string) {
  const { status, body } = await apiClient(suite.url, own.account.apiKey).get<UsageReport>(`/usage${query}`);
  expect(status).toBe(200);
  const { requests, tokensUsed, creditsUsed } = body.totals;
  const shown = { "Finished work": requests, Tokens: tokensUsed, Credits: creditsUsed };
  for (const [name, value] of Object.entries(shown)) {
    await expect(figure(page, name)).toContainText(value.toLocaleString("en-US"));
  }
}

test.describe("usage", () => {
  test("shows the last 30 days with the sums that the API gives, per day, endpoint and end user", async ({ page }) => {
    await page.goto(PATH);
    await expectSameSums(page, "");
    await expect(lines(page)).toHaveCount(30);
    await page.getByRole("link", { name: "Per endpoint" }).click();
    await expect(lines(page)).toHaveCount(3);
    await expect(lines(page).filter({ hasText: "POST /process" })).toBeVisible();
    await page.getByRole("link", { name: "Per end user" }).click();
    // On the first day of a month, yesterday's is not in it.
    const month = monthOf(new Date()).start;
    const { projectId } = own.account;
    await expect(lines(page)).toHaveCount(await prisma().usageMonth.count({ where: { projectId, month } }));
    await expect(lines(page).filter({ hasText: "Your own calls" })).toBeVisible();
  });

  test("ranks end users by whole months, each with the sums that the API gives of it", async ({ page }) => {
    const lastMonth = addDays(`${TODAY.slice(0, 7)}-01`, -1).slice(0, 7);
    const [from, to] = [`${lastMonth}-01`, addDays(`${TODAY.slice(0, 7)}-01`, -1)];
    await page.goto(`${PATH}?by=end-user&from=${addDays(TODAY, -39)}`);
    const months = page.getByRole("navigation", { name: "Months" }).getByRole("link");
    for (const link of await months.all()) {
      const leadsTo = new URLSearchParams((await link.getAttribute("href"))?.split("?")[1]).get("month") ?? "2000-01";
      await expect(link, "in the next month, too").toHaveText(formatMonth(leadsTo));
    }
    await months.nth(1).click();
    await expect(page).toHaveURL(new RegExp(`month=${lastMonth}`));
    const { body } = await apiClient(suite.url, own.account.apiKey).get<UsageReport>(
      `/usage?from=${from}&to=${to}&endUserId=customer-42`,
    );
    await expect(lines(page).filter({ hasText: "customer-42" })).toContainText(
      body.totals.tokensUsed.toLocaleString("en-US"),
    );
    await page.goto(`${PATH}?by=end-user&month=1999-01&cursor=bent`);
    await expect(lines(page).filter({ hasText: "customer-42" })).toBeVisible();
  });

  test("tells what erased end users used, and leads to nobody", async ({ page, context }) => {
    const other = await panelAccount();
    await use(other, [{ daysAgo: 0, endUserId: ERASED_END_USER }]);
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(`${PATH}?by=end-user`);
    await expect(lines(page)).toHaveCount(1);
    await expect(lines(page)).toContainText("Erased end users");
    await expect(lines(page).getByRole("link")).toHaveCount(0);
  });

  test("keeps days and end user in the address, and its sums are still the API's", async ({ page }) => {
    // The day may end meanwhile.
    await page.clock.setFixedTime(`${TODAY}T12:00:00Z`);
    const [from, to] = [addDays(TODAY, -9), addDays(TODAY, -3)];
    await page.goto(`${PATH}?by=end-user`);
    await page.getByRole("button", { name: "Days" }).click();
    await page.getByLabel("From (UTC)").fill(from);
    await page.getByLabel("To, included (UTC)").fill(to);
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(new RegExp(`from=${from}&to=${to}$`));
    await expect(page.getByRole("button", { name: `Days ${from} – ${to} UTC`, exact: true })).toBeVisible();
    await expectSameSums(page, `?from=${from}&to=${to}`);
    await lines(page).getByRole("link", { name: "customer-42" }).click();
    await expect(page).toHaveURL(/endUserId=customer-42/);
    await expectSameSums(page, `?from=${from}&to=${to}&endUserId=customer-42`);
    await expect(lines(page)).toHaveCount(7);
    await expect(page.getByRole("link", { name: "Per end user" })).toHaveCount(0);
    await page.getByRole("button", { name: /^Days/ }).click();
    await page.getByRole("button", { name: "Last 7 days", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`from=${addDays(TODAY, -6)}$`));
  });

  test("gives the same lines as CSV, and no spreadsheet runs them", async ({ page }) => {
    const from = addDays(TODAY, -1);
    await page.goto(`${PATH}?from=${from}&to=${from}`);
    await expect(page.locator("circle.recharts-dot"), "a line of one day").toHaveAttribute("r", "4");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    expect((await download).suggestedFilename()).toBe(`usage-${from}-${from}.csv`);
    const response = await exported(own.owner, `?from=${from}&to=${from}`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, ...rows] = (await response.text()).trimEnd().split("\r\n");
    expect(head).toBe("date,endpoint,endUserId,requests,tokensIn,tokensOut,tokensUsed,creditsUsed,amount,currency");
    expect(rows).toHaveLength(3);
    expect(rows.join("\n")).toContain(`,'${MALICIOUS_FORMULA},3,1000,250,1250,2,`);
    const { body } = await apiClient(suite.url, own.account.apiKey).get<UsageReport>(`/usage?from=${from}&to=${from}`);
    const credits = rows.reduce((sum, line) => sum + Number(line.split(",")[7]), 0);
    expect(credits).toBe(body.totals.creditsUsed);
  });

  test("gives the days that it shows as CSV, also once midnight made the last 30 days others", async ({ page }) => {
    await page.goto(PATH);
    const address = await page.getByRole("link", { name: "Download CSV" }).getAttribute("href");
    const days = new URLSearchParams(address?.split("?")[1]);
    const shown = [days.get("from"), days.get("to")].map((day) => formatDay(new Date(day ?? ""), "UTC"));
    await expect(page.getByText(shown.join(" to "), { exact: true })).toBeVisible();
    expect((await exported(own.owner, `?${days}`)).status).toBe(200);
  });

  test("shows what each project used, and gives that and a month per end user as files", async ({ page, context }) => {
    const other = await panelAccount();
    const { id } = await createProject(OPERATOR, other, { name: "Second shop" });
    await use(other, [{ daysAgo: 0, endUserId: "ada", size: 2 }]);
    await use({ ...other, projectId: id }, [{ daysAgo: 0, endUserId: "ada", size: 7 }]);
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(PATH);
    await page.getByRole("link", { name: "Per project" }).click();
    await expect(lines(page)).toHaveCount(2);
    await expect(lines(page).nth(0)).toContainText("Second shop");
    await expect(lines(page).nth(1)).toContainText("shown here");
    await expectWellMade(page, "usage-per-project");
    const read = async (name: string) => {
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name }).click();
      const file = await download;
      const text = await readFile(await file.path(), "utf8");
      return { name: file.suggestedFilename(), rows: text.trimEnd().split("\r\n").slice(1) };
    };
    const projects = await read("CSV per project");
    expect(projects.name).toMatch(/^usage-per-project-[\d-]+\.csv$/);
    expect(projects.rows.map((line) => line.split(",")[8])).toEqual(["14", "4"]);
    await page.goto(`${PATH}?by=end-user`);
    const month = await read("CSV per end user");
    expect(month.name).toBe(`usage-per-end-user-${TODAY.slice(0, 7)}.csv`);
    expect(month.rows.map((line) => line.split(",").slice(2, 4)).sort()).toContainEqual(["Second shop", "ada"]);
    expect((await page.request.get(`${PATH}/end-users.csv?month=2026-13`)).status()).toBe(400);
    const member = await other.addPerson("member");
    for (const file of [`end-users.csv?month=${TODAY.slice(0, 7)}`, "projects.csv"]) {
      const answer = await fetch(`${suite.url}${PATH}/${file}`, { headers: cookieOf(member) });
      expect(answer.status, "files are for admins").toBe(404);
    }
  });

  test("shows what each API key used, leads to the key and its calls, and gives that as a file", async ({
    page,
    context,
  }) => {
    const other = await panelAccount();
    const { keyId, apiKey } = await createApiKey(OPERATOR, { ...other, name: "Shop", permissions: PERMISSIONS });
    const playground = await createPlaygroundKey(OPERATOR, other);
    for (const message of ["One", "Two"]) await finishedChat(apiClient(suite.url, apiKey), message);
    await finishedChat(apiClient(suite.url, playground.apiKey), "Three");
    await use(other, [{ daysAgo: 2 }]);
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(PATH);
    await page.getByRole("link", { name: "Per API key" }).click();
    await expect(lines(page)).toHaveCount(4);
    const shop = lines(page).filter({ hasText: `Shop…${apiKey.slice(-4)}` });
    await expect(shop.getByRole("cell").nth(1)).toHaveText("2");
    await expect(lines(page).filter({ hasText: "Playground" }).getByRole("cell").nth(1)).toHaveText("1");
    await expect(lines(page).filter({ hasText: "Test…" }).getByRole("cell").nth(1)).toHaveText("0");
    await expect(lines(page).last()).toContainText("Before use was counted by key");
    await expectWellMade(page, "usage-per-key");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV per key" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^usage-per-key-[\d-]+\.csv$/);
    const rows = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n").slice(1);
    expect(rows).toHaveLength(4);
    expect(rows.find((line) => line.includes(keyId))?.split(",")[5]).toBe("2");
    await shop.getByRole("link", { name: /^Calls of the key Shop/ }).click();
    await expect(page).toHaveURL(new RegExp(`/logs\\?keyId=${keyId}&from=`));
    await expect(page.getByRole("table").locator("tbody tr").filter({ hasText: "POST /chat" })).toHaveCount(2);
    await page.goBack();
    await page.getByRole("link", { name: "Calls of the playground" }).click();
    await expect(page.getByRole("table").locator("tbody tr").filter({ hasText: "POST /chat" })).toHaveCount(1);
    await page.goBack();
    await shop.getByRole("link", { name: /^Shop/ }).click();
    await expect(page.getByRole("dialog", { name: "Shop" })).toContainText(keyId);
    const member = await other.addPerson("member");
    expect((await fetch(`${suite.url}${PATH}/keys.csv`, { headers: cookieOf(member) })).status).toBe(404);
    await page.goto(`${PATH}?by=key&endUserId=ada`);
    await expect(page.getByRole("link", { name: "Per API key" }), "nothing is told of one end user by key").toHaveCount(
      0,
    );
  });

  test("keeps the CSV from members, strangers and the signed-out, and says what is wrong with a period", async ({
    page,
    context,
  }) => {
    const member = await own.account.addPerson("member");
    const stranger = await (await panelAccount()).addPerson("owner");
    expect((await exported(member)).status).toBe(404);
    expect((await fetch(`${suite.url}${PATH}/export.csv`)).status).toBe(401);
    expect((await (await exported(stranger)).text()).trimEnd().split("\r\n"), "the head alone").toHaveLength(1);
    const wrong = await exported(own.owner, "?from=2020-01-01");
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ error: { code: "VALIDATION_FAILED" } });
    await signInContext(context, member);
    await page.goto(PATH);
    await expectSameSums(page, "");
    await expect(page.getByRole("link", { name: "Download CSV" })).toHaveCount(0);
  });

  test("shows a year and no more, and says so instead of breaking", async ({ page }) => {
    await page.goto(`${PATH}?from=${addDays(TODAY, -365)}&to=${TODAY}`);
    await expect(figure(page, "Finished work")).toContainText("in 366 days");
    for (const query of [
      `from=${addDays(TODAY, -366)}&to=${TODAY}`,
      "from=2026-02-02&to=2026-02-01",
      "from=x",
      "from=1&from=2",
    ]) {
      await page.goto(`${PATH}?${query}`);
      await expect(page.getByText("Choose up to 366 days")).toBeVisible();
      await expect(page.getByRole("link", { name: "Download CSV" })).toHaveCount(0);
    }
    for (const name of [HOSTILE, "x".repeat(10_000)]) {
      await page.goto(`${PATH}?endUserId=${encodeURIComponent(name)}`);
      await expect(page.getByText("No end user can be called that")).toBeVisible();
    }
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await page.getByRole("link", { name: "Show the last 30 days" }).click();
    await expect(lines(page)).toHaveCount(30);
  });

  test("goes on by itself on a page that stands open", async ({ page, context }) => {
    const other = await panelAccount();
    await use(other, [{ daysAgo: 0 }]);
    await signInContext(context, await other.addPerson("owner"));
    await page.clock.install();
    await page.goto(PATH);
    await expect(figure(page, "Finished work")).toContainText("3");
    await use(other, [{ daysAgo: 0, endpoint: "POST /process" }]);
    await page.clock.runFor(30_000);
    await expect(figure(page, "Finished work")).toContainText("6");
  });

  test("is well made, full and empty", async ({ page, context }) => {
    await page.goto(PATH);
    await expect(lines(page)).toHaveCount(30);
    await expectWellMade(page, "usage");
    await page.goto(`${PATH}?by=end-user&from=${addDays(TODAY, -2)}`);
    await expectWellMade(page, "usage-end-users");
    await signInContext(context, await (await panelAccount()).addPerson("owner"));
    await page.goto(PATH);
    await expect(page.getByText("Nothing was used in this period")).toBeVisible();
    await expectWellMade(page, "usage-empty");
  });
});
