import { randomBytes } from "node:crypto";
import { expect, type Page } from "playwright/test";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { seedDelivery } from "@/e2e/support/delivery-seeds";
import { expectWellMade, expectWellMadeAt } from "@/e2e/support/page-look";
import { cookieOf, type PanelAccount, panelAccount, signedInPage, signInContext } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { THEMES, WIDTHS } from "@/e2e/support/screenshots";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createPlaygroundKey } from "@/lib/services/api-keys/create-api-key";
import { writeCalls } from "@/lib/services/call-log/write-calls";

const PATH = "/panel/api-b2b/logs";
const HOSTILE = `<img src=x onerror="window.hacked=1">"><script>window.hacked=1</script>`;

const own = usePanelOwner();
let api: ApiClient;

test.beforeAll(async () => {
  api = apiClient(suite.url, own.account.apiKey);
});

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const requestIdOf = ({ headers }: { headers: Headers }) => headers.get("x-request-id") ?? "";

/** Waits until the call is in the log: it is written a moment after its answer. */
async function isLogged(requestId: string): Promise<void> {
  await expect.poll(() => prisma().callLog.count({ where: { requestId } })).toBe(1);
}

/** Calls as the API would have noted them. */
async function seedCalls(count: number, on: PanelAccount, more: { endpoint?: string; userAgent?: string } = {}) {
  const { accountId, projectId, apiKeyId } = on.principal;
  const calls = Array.from({ length: count }, (_, index) => ({
    id: newId("call"),
    accountId,
    projectId,
    apiKeyId,
    requestId: newId("request"),
    endpoint: "GET /account",
    path: "/api/v1/account",
    status: [200, 200, 200, 404, 429][index % 5] ?? 200,
    errorCode: ([null, null, null, "NOT_FOUND", "RATE_LIMITED"] as const)[index % 5] ?? null,
    durationMs: 3 + ((index * 37) % 900),
    ip: `203.0.113.${index % 250}`,
    userAgent: null,
    sessionId: null,
    endUserId: null,
    isStart: false,
    summary: {},
    receivedAtMs: performance.now() - 60_000 * (index + 5),
    ...more,
  }));
  await writeCalls(calls);
  return calls;
}

/** One call right before half past two of 3 March 2026 (UTC), one at that very moment, and others of now. @returns the second */
async function seedAfternoonCalls(on: PanelAccount) {
  const [early, wanted] = await seedCalls(5, on);
  for (const [call, time] of [
    [early, "14:29:59"],
    [wanted, "14:30:00"],
  ] as const) {
    const createdAt = new Date(`2026-03-03T${time}Z`);
    await prisma().callLog.update({ where: { id: call?.id ?? "" }, data: { createdAt } });
  }
  return wanted;
}

test.describe("logs", () => {
  test("takes two filters off that are pressed faster than the list comes", async ({ page }) => {
    await page.goto(`${PATH}?status=2xx&endpoint=POST+%2Fchat`);
    await page.route("**/logs*", async (route) => {
      if (route.request().headers().rsc) await page.waitForTimeout(1_000);
      await route.continue();
    });
    await page.getByRole("button", { name: "Remove the filter Endpoint" }).click();
    await page.getByRole("button", { name: "Remove the filter Status" }).click();
    await expect(page).toHaveURL(new RegExp(`${PATH}$`));
    await expect(page.getByRole("button", { name: /^Remove the filter/ })).toHaveCount(0);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("shows what a call was, how it ended and what it started", async ({ page }) => {
    const started = await api.post("/chat", { message: "Good morning", endUserId: "ada" });
    const sessionId = String(started.body.sessionId);
    await api.waitUntilDone(`/chat/${sessionId}`);
    await isLogged(requestIdOf(started));
    await page.goto(PATH);
    await expect(row(page, requestIdOf(started))).toContainText(/POST \/chat.*202/);
    await row(page, requestIdOf(started)).getByRole("link").click();
    const detail = page.getByRole("dialog", { name: "POST /chat" });
    await expect(detail).toContainText("Test …");
    await expect(detail).toContainText("127.0.0.1");
    await expect(detail.getByRole("listitem").filter({ hasText: "completed" })).toContainText(/[1-9]\d* credit/);
    await expect(detail.getByRole("listitem").filter({ hasText: "message" })).toContainText("12");
    const response = detail.getByRole("region", { name: "Response", exact: true });
    await expect(response).toContainText("application/json");
    await expect(response).toContainText(`${JSON.stringify(started.body).length} bytes`);
    expect(await detail.textContent()).not.toContain("Good morning");
    await expect(detail.locator(`a[href="/panel/sessions/${sessionId}"]`).first()).toBeVisible();
    await expect(page).toHaveURL(/call=log_/);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("names a refusal and the fields that were wrong, and opens by request id", async ({ page }) => {
    const refused = await api.post("/chat", { message: 7 });
    await isLogged(requestIdOf(refused));
    await page.goto(`${PATH}?call=${requestIdOf(refused)}`);
    const detail = page.getByRole("dialog", { name: "POST /chat" });
    await expect(detail).toContainText("400");
    await expect(detail).toContainText("VALIDATION_FAILED");
    await expect(detail.getByText("Refused fields").locator("..")).toContainText("message");
    await expect(detail.getByRole("link", { name: "What it means and what to do" })).toHaveAttribute(
      "href",
      "/docs/errors#VALIDATION_FAILED",
    );
  });

  test("keeps its filters in the address, and says which one it cannot read", async ({ page }) => {
    const missing = await api.get(`/chat/${newId("session")}`);
    await isLogged(requestIdOf(missing));
    await page.goto(PATH);
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("button", { name: "4xx, refused" }).click();
    await expect(page).toHaveURL(/status=4xx/);
    await page.getByRole("button", { name: "Endpoint", exact: true }).click();
    await page.getByRole("button", { name: "GET /chat/:sessionId", exact: true }).click();
    await expect(row(page, requestIdOf(missing))).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "POST /chat" })).toHaveCount(0);
    await page.goto(`${PATH}?requestId=${requestIdOf(missing)}`);
    await expect(page.getByRole("row")).toHaveCount(2);
    await page.goto(`${PATH}?ip=somewhere`);
    await expect(page.getByText("ip must be an IP address.")).toBeVisible();
    await expect(page.getByRole("row")).toHaveCount(0);
  });

  test("finds the calls of some minutes of a day, and those that were refused for one reason", async ({ page }) => {
    const other = await panelAccount();
    await signInContext(page.context(), await other.addPerson("owner"));
    const wanted = await seedAfternoonCalls(other);
    await page.goto(PATH);
    await page.getByRole("button", { name: "When", exact: true }).click();
    await page.getByLabel("From (UTC)").fill("2026-03-03");
    await page.getByLabel("From what time (UTC)").fill("14:30");
    await page.getByLabel("To what time (UTC)").fill("15:00");
    await page.getByRole("button", { name: "Apply" }).click();
    const rows = page.locator("tbody tr");
    await expect(rows).toHaveCount(1);
    await expect(row(page, wanted?.requestId ?? "")).toBeVisible();
    const chip = page.getByRole("button", { name: "When 2026-03-03 14:30 – 15:00 UTC" });
    await chip.click();
    await expect(page.getByLabel("From what time (UTC)")).toHaveValue("14:30");
    await expect(page.getByLabel("To (UTC), days included")).toHaveValue("2026-03-03");
    // Without the focus it hears no key.
    await page.getByRole("dialog").press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expectWellMade(page, "logs-times");
    await page.goto(`${PATH}?errorCode=RATE_LIMITED`);
    await expect(rows).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Error RATE_LIMITED" })).toBeVisible();
  });

  test("takes and shows times in the reader's own zone, in what the server draws too, and keeps UTC in the address", async ({
    browser,
  }) => {
    const { page, context, account: other } = await signedInPage(browser, { timezoneId: "Asia/Dubai" });
    const wanted = await seedAfternoonCalls(other);
    await page.goto(PATH);
    await page.getByRole("button", { name: "When", exact: true }).click();
    await page.getByLabel("From (Asia/Dubai)").fill("2026-03-03");
    await page.getByLabel("From what time (Asia/Dubai)").fill("18:30");
    await page.getByLabel("To what time (Asia/Dubai)").fill("19:00");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(`${PATH}?from=2026-03-03T14%3A30%3A00.000Z&to=2026-03-03T15%3A00%3A00.000Z`);
    await expect(page.locator("tbody tr")).toHaveCount(1);
    const shown = row(page, wanted?.requestId ?? "").locator("time");
    await expect(shown).toHaveText(/^3 Mar( 2026)?, 18:30$/);
    await expect(shown).toHaveAttribute("title", /3 Mar 2026, 18:30:00 local time\n3 Mar 2026, 14:30:00 UTC/);
    const words = "2026-03-03 18:30 – 19:00";
    const chip = page.getByRole("button", { name: `When ${words} UTC+4` });
    await chip.click();
    await expect(page.getByLabel("From what time (Asia/Dubai)")).toHaveValue("18:30");
    await page.getByRole("button", { name: "Yesterday", exact: true }).click();
    // Days of the zone begin at eight in the evening of UTC.
    await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\dT20%3A00%3A00.000Z&to=\d{4}-\d\d-\d\dT20%3A00%3A00.000Z$/);
    await expect(page.getByRole("button", { name: /^When \d{4}-\d\d-\d\d UTC\+4$/ })).toBeVisible();
    await page.getByRole("button", { name: /^When/ }).click();
    await expect(page.getByRole("button", { name: "Yesterday", exact: true })).toHaveAttribute("aria-pressed", "true");

    const address = `${PATH}?from=2026-03-03T14%3A30%3A00.000Z&to=2026-03-03T15%3A00%3A00.000Z`;
    const drawn = await (await page.request.get(address)).text();
    expect(drawn, "no jump when the browser takes over").toContain(`${words} UTC+4`);
    expect(drawn).toMatch(/>3 Mar( 2026)?, 18:30</);
    await page.goto(address);
    await expect(chip).toBeVisible();
    await expectWellMade(page, "logs-zone");
    await page.goto("/panel/api-b2b/webhooks?tab=deliveries&from=2026-03-03T14%3A30%3A00.000Z");
    await expect(page.getByRole("button", { name: "When from 2026-03-03 18:30 UTC+4" })).toBeVisible();
    await context.addCookies([{ name: "panel.zone", value: "Mars%2FOlympus", url: suite.url }]);
    expect(await (await page.request.get(address)).text(), "where the zone is not known").toMatch(
      />3 Mar( 2026)?, 14:30<!-- --> UTC</,
    );
    await context.close();
  });

  test("offers every key in use by name, those of the playground as one, and a way to those that there is no room for", async ({
    page,
    context,
  }) => {
    const other = await panelAccount();
    const { accountId, projectId } = other;
    const ended = Array.from({ length: 101 }, (_, index) => ({
      ...{
        id: newId("apiKey"),
        accountId,
        projectId,
        name: `Ended ${index}`,
        hint: `k${String(index).padStart(3, "0")}`,
      },
      ...{ keyHash: randomBytes(32), permissions: ["chat"], revokedAt: new Date() },
      createdAt: new Date(Date.now() + index * 1_000),
    }));
    await prisma().apiKey.createMany({ data: ended });
    await apiClient(suite.url, other.apiKey).get("/account");
    const played = [];
    for (let made = 0; made < 2; made += 1) {
      const { apiKey } = await createPlaygroundKey(OPERATOR, other);
      played.push(requestIdOf(await apiClient(suite.url, apiKey).get("/account")));
    }
    for (const requestId of played) await isLogged(requestId);
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(PATH);
    await page.getByRole("button", { name: "Key", exact: true }).click();
    const choices = page.getByRole("dialog", { name: "Key" });
    await expect(choices.getByRole("button").first(), "in use").toHaveText(`Test …${other.apiKey.slice(-4)}`);
    await expect(choices.getByRole("button", { name: "Ended 100 …k100, no longer in use" })).toBeVisible();
    await expect(choices.getByRole("button", { name: /^Playground/ })).toHaveCount(1);
    // What is open over the page is no landmark of it: its colours alone are looked at.
    for (const width of WIDTHS) {
      for (const theme of THEMES) await expectWellMadeAt(page, "logs-keys", width, theme, "colours");
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await choices.getByRole("button", { name: "Playground, all its keys" }).click();
    await expect(page).toHaveURL(`${PATH}?keyId=playground`);
    await expect(page.locator("tbody tr")).toHaveCount(2);
    for (const requestId of played) await expect(row(page, requestId)).toBeVisible();
    const csv = await page.getByRole("link", { name: "CSV", exact: true }).getAttribute("href");
    expect((await (await page.request.get(csv ?? "")).text()).trim().split("\r\n")).toHaveLength(3);

    await page.getByRole("button", { name: /^Key/ }).click();
    await choices.getByRole("link", { name: /^Older keys/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API Keys");
    await page.goto(`/panel/api-b2b/api-keys?show=all&key=${ended[0]?.id}`);
    await page.getByRole("link", { name: "See them in the logs" }).click();
    await expect(page.getByRole("button", { name: "Key Ended 0 …k000, no longer in use", exact: true })).toBeVisible();
  });

  test("prints the filters that hold, and none that could", async ({ page }) => {
    await page.goto(`${PATH}?ip=127.0.0.1`);
    const status = page.getByRole("button", { name: "Status", exact: true });
    await expect(status).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(page.getByText("127.0.0.1").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "IP 127.0.0.1" })).toBeVisible();
    await expect(status).toBeHidden();
    await page.emulateMedia({ media: null });
  });

  test("prints an open detail whole and alone, on as many pages as it needs", async ({ page }) => {
    await api.get("/account");
    await page.goto(PATH);
    await page.locator("a[data-row-link]").first().click();
    const detail = page.getByRole("dialog");
    const part = detail.locator("section").first();
    await page.setViewportSize({ width: 794, height: 300 });
    await page.emulateMedia({ media: "print" });
    await expect(page.locator("main table")).toBeHidden();
    await expect(detail.getByRole("link", { name: "Close" })).toBeHidden();
    const { held, shown } = await part.evaluate((element) => {
      const { bottom } = element.getBoundingClientRect();
      return { held: bottom, shown: document.documentElement.scrollHeight };
    });
    expect(held).toBeGreaterThan(300);
    expect(shown).toBeGreaterThanOrEqual(Math.floor(held));
    expect(await part.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(0);
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("is filtered by keyboard: arrows go through the choices, and the filter keeps the focus", async ({ page }) => {
    await page.goto(PATH);
    const chip = page.getByRole("button", { name: /^Status/ });
    await chip.press("Enter");
    const choice = (name: RegExp) => page.getByRole("dialog", { name: "Status" }).getByRole("button", { name });
    await expect(choice(/^2xx/)).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(choice(/^4xx/)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/status=4xx/);
    await expect(chip).toContainText("4xx");
    await expect(chip).toBeFocused();
    await chip.press("Enter");
    await expect(choice(/^4xx/)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(chip).toBeFocused();
    await page.getByRole("button", { name: "Remove the filter Status" }).press("Enter");
    await expect(page).toHaveURL(PATH);
    await expect(page.getByRole("group", { name: "Filters" })).toBeFocused();
  });

  test("shows new calls by themselves, none while paused, and none twice", async ({ page }) => {
    await page.goto(PATH);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    const first = await api.get("/account");
    await expect(row(page, requestIdOf(first))).toBeVisible();
    await page.getByRole("button", { name: "Pause" }).click();
    const second = await api.get("/account");
    await isLogged(requestIdOf(second));
    const looks: string[] = [];
    page.on("request", (request) => looks.push(new URL(request.url()).pathname));
    await expect(page.getByText("Paused")).toBeVisible();
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(row(page, requestIdOf(second))).toHaveCount(1);
    await expect(row(page, requestIdOf(first))).toHaveCount(1);
    expect(looks).toContain(`${PATH}/tail`);
  });

  test("moves no row while one has the focus, and shows what waits when asked", async ({ page }) => {
    await page.goto(PATH);
    await page.getByRole("row").getByRole("link").first().focus();
    const late = await api.get("/account");
    const show = page.getByRole("button", { name: "Show 1 new" });
    await expect(show).toBeVisible();
    await expect(row(page, requestIdOf(late))).toHaveCount(0);
    await show.click();
    await expect(row(page, requestIdOf(late))).toBeVisible();
  });

  test("moves no row while it is paused, also when one is opened", async ({ page }) => {
    const first = await api.get("/account");
    await isLogged(requestIdOf(first));
    await page.goto(PATH);
    await page.getByRole("button", { name: "Pause" }).click();
    const late = await api.get("/account");
    await isLogged(requestIdOf(late));
    await row(page, requestIdOf(first)).getByRole("link").click();
    await expect(page.getByRole("dialog")).toContainText(requestIdOf(first));
    await expect(row(page, requestIdOf(late))).toHaveCount(0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(row(page, requestIdOf(late))).toHaveCount(1);
  });

  test("goes through a long log part by part and back", async ({ page, context }) => {
    const busy = await panelAccount();
    const calls = await seedCalls(120, busy);
    await signInContext(context, await busy.addPerson("member"));
    await page.goto(PATH);
    await expect(page.getByRole("row")).toHaveCount(51);
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await expect(row(page, calls[50]?.requestId ?? "")).toBeVisible();
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await expect(page.getByRole("row")).toHaveCount(21);
    await expect(row(page, calls[119]?.requestId ?? "")).toBeVisible();
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(row(page, calls[99]?.requestId ?? "")).toBeVisible();
    await page.goto(`${PATH}?cursor=nonsense`);
    await expect(row(page, calls[0]?.requestId ?? "")).toBeVisible();
  });

  test("exports what the filters let through, for those who may", async ({ page, context }) => {
    const refused = await api.post("/chat", {});
    await isLogged(requestIdOf(refused));
    await page.goto(`${PATH}?status=4xx`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "CSV", exact: true }).click(),
    ]);
    const csv = await fetch(`${suite.url}${PATH}/calls.csv?status=4xx`, { headers: cookieOf(own.owner) });
    expect(download.suggestedFilename()).toBe("calls.csv");
    const text = await csv.text();
    expect(text).toContain(requestIdOf(refused));
    expect(
      text
        .trim()
        .split("\n")
        .slice(1)
        .every((line) => /,4\d\d,/.test(line)),
    ).toBe(true);
    const bent = await fetch(`${suite.url}${PATH}/calls.csv?ip=x`, { headers: cookieOf(own.owner) });
    expect(bent.status).toBe(400);

    const member = await own.account.addPerson("member");
    expect((await fetch(`${suite.url}${PATH}/calls.csv`, { headers: cookieOf(member) })).status).toBe(404);
    expect((await fetch(`${suite.url}${PATH}/calls.csv`)).status).toBe(401);
    expect((await fetch(`${suite.url}${PATH}/tail`)).status).toBe(401);
    await signInContext(context, member);
    await page.goto(PATH);
    await expect(row(page, requestIdOf(refused))).toBeVisible();
    await expect(page.getByRole("link", { name: "CSV", exact: true })).toHaveCount(0);
  });

  test("shows nothing of another company's calls", async ({ page }) => {
    const theirs = await panelAccount();
    const [call] = await seedCalls(1, theirs);
    for (const query of [`call=${call?.id}`, `call=${call?.requestId}`, `requestId=${call?.requestId}`]) {
      await page.goto(`${PATH}?${query}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Logs");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(row(page, call?.requestId ?? "")).toHaveCount(0);
    }
  });

  test("shows what a client calls itself as text", async ({ page }) => {
    const hostile = await fetch(`${suite.url}/api/v1/account`, {
      headers: { "x-api-key": own.account.apiKey, "user-agent": HOSTILE },
    });
    await isLogged(requestIdOf(hostile));
    await page.goto(`${PATH}?call=${requestIdOf(hostile)}`);
    await expect(page.getByRole("dialog")).toContainText(HOSTILE);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("is well made as a list", async ({ page, context }) => {
    const busy = await panelAccount();
    await seedCalls(18, busy);
    await signInContext(context, await busy.addPerson("owner"));
    await page.goto(PATH);
    await page.getByRole("button", { name: "Pause" }).click();
    await expectWellMade(page, "logs");
  });

  test("fits the deliveries of a call's session into its detail, which never scrolls sideways", async ({ page }) => {
    const started = await api.post("/chat", { message: "Tell my backend" });
    const sessionId = String(started.body.sessionId);
    await api.waitUntilDone(`/chat/${sessionId}`);
    await isLogged(requestIdOf(started));
    const { accountId, projectId } = own.account.principal;
    const { id } = await seedDelivery({ accountId, projectId, url: "https://shop.example/hooks", status: "delivered" });
    await prisma().webhookDelivery.update({ where: { id }, data: { sessionId } });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${PATH}?call=${requestIdOf(started)}`);
      const content = page.getByRole("dialog").getByRole("region", { name: "POST /chat" });
      await expect(content.getByRole("table", { name: "Deliveries" })).toBeVisible();
      await expect(content.getByRole("columnheader", { name: "Session" })).toHaveCount(0);
      expect(await content.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
  });

  test("is well made with a call open", async ({ page }) => {
    const started = await api.post("/chat", { message: "Which bicycle suits me?", endUserId: "customer-42" });
    await api.waitUntilDone(`/chat/${started.body.sessionId}`);
    await isLogged(requestIdOf(started));
    await page.goto(`${PATH}?call=${requestIdOf(started)}`);
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectWellMade(page, "logs-call");
  });

  test("is well made while it is empty", async ({ page, context }) => {
    const fresh = await panelAccount();
    await signInContext(context, await fresh.addPerson("owner"));
    await page.goto(PATH);
    await expect(page.getByText("No calls yet")).toBeVisible();
    await expectWellMade(page, "logs-empty");
  });
});
