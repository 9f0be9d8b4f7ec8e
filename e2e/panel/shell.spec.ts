import { expect, type Locator, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { type PanelAccount, panelAccount, signInContext, staffPage } from "@/e2e/support/panel-browser";
import { pasteText } from "@/e2e/support/paste-text";
import { saveScreenshot } from "@/e2e/support/screenshots";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

const PHONE = { width: 390, height: 844 };
const SEARCH = "/panel/search";
const ARABIC = "شركة المعالجة الذكية للمستندات والرسائل ".repeat(3).trim();

let account: PanelAccount;

test.beforeAll(async () => {
  account = await panelAccount();
});

test.beforeEach(async ({ context }) => signInContext(context, await account.addPerson("owner")));

async function keyOf({ projectId }: PanelAccount): Promise<string> {
  const { id } = await prisma().apiKey.findFirstOrThrow({ where: { projectId } });
  return id;
}

/** How much of the product's name is cut off there. */
async function hiddenPixels(place: Locator): Promise<number> {
  const name = place.getByText("AI Processing Service", { exact: true });
  return name.evaluate((el) => Math.max(el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight));
}

const box = (page: Page) => page.getByRole("textbox", { name: "Find by id" });
const nothing = (page: Page) => page.getByText("Nothing here is called");

/** Runs in the page. */
function showsFirstLetter(place: Element): boolean {
  const text = document.createTreeWalker(place, NodeFilter.SHOW_TEXT).nextNode();
  if (!text) return false;
  const letter = document.createRange();
  letter.setStart(text, 0);
  letter.setEnd(text, 1);
  const [inner, outer] = [letter.getBoundingClientRect(), place.getBoundingClientRect()];
  return inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
}

test("an address that is cut short leads to the first page below it", async ({ context }) => {
  for (const [short, page] of [
    ["/panel/settings", "/panel/settings/project"],
    ["/panel/api-b2b", "/panel/api-b2b/api-keys"],
    ["/panel/api-b2b/webhooks/deliveries", "/panel/api-b2b/webhooks?tab=deliveries"],
  ] as const) {
    const response = await context.request.get(short);
    expect([response.status(), response.url()]).toEqual([200, `${suite.url}${page}`]);
  }
});

test.describe("search", () => {
  test("leads from a pasted id to its page, by the keyboard alone", async ({ page }) => {
    const keyId = await keyOf(account);
    await page.goto(SEARCH);
    // A press before the page's scripts have come does nothing.
    await expect(async () => {
      await page.keyboard.press("/");
      await expect(box(page)).toBeFocused({ timeout: 1_000 });
    }).toPass();
    await pasteText(page, `${keyId} and all that stood behind it: ${"x".repeat(400)}`);
    await expect(page.getByRole("search").getByRole("alert")).toContainText("at most 400 characters fit");
    await box(page).clear();
    await expect(page.getByRole("search").getByRole("alert")).toHaveCount(0);
    await page.keyboard.insertText(` ${keyId} `);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/panel/api-b2b/api-keys?key=${keyId}`);
  });

  test("leads from the account's and the project's id to their settings", async ({ page }) => {
    await page.goto(`${SEARCH}?q=${account.accountId}`);
    await expect(page).toHaveURL("/panel/settings/company");
    await page.goto(`${SEARCH}?q=${account.projectId}`);
    await expect(page).toHaveURL("/panel/settings/project");
  });

  test("leads on at once: no page of its own is drawn before", async ({ context }) => {
    const keyId = await keyOf(account);
    const answer = await context.request.get(`${SEARCH}?q=${keyId}`, { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location]).toEqual([307, `/panel/api-b2b/api-keys?key=${keyId}`]);
  });

  test("says the same of another company's id as of none", async ({ page }) => {
    const foreign = await keyOf(await panelAccount());
    for (const id of [foreign, newId("apiKey"), "<script>alert(1)</script>"]) {
      await page.goto(`${SEARCH}?q=${encodeURIComponent(id)}`);
      await expect(nothing(page)).toContainText(`“${id}”`);
    }
  });

  test("works before the page's scripts do", async ({ browser, context }) => {
    const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() });
    const page = await plain.newPage();
    await page.goto(SEARCH);
    await box(page).fill("ses_nowhere");
    await box(page).press("Enter");
    await expect(nothing(page)).toContainText("ses_nowhere");
    await plain.close();
  });
});

test.describe("shell", () => {
  test("shows of a name in Arabic that is too long its beginning, in the project switch and the newest sessions", async ({
    page,
    context,
  }) => {
    const other = await panelAccount();
    await signInContext(context, await other.addPerson("owner"));
    await prisma().project.update({ where: { id: other.projectId }, data: { name: ARABIC } });
    await apiClient(suite.url, other.apiKey).post("/chat", { message: ARABIC });
    await page.goto("/panel");
    const places = [
      page.getByRole("button", { name: /^Project/ }).getByText(ARABIC),
      page.getByRole("link", { name: ARABIC }),
    ];
    for (const place of places) expect(await place.evaluate(showsFirstLetter)).toBe(true);
  });

  test("shows the beginning of a template's and a person's name that is too long, in Arabic too", async ({
    page,
    context,
  }) => {
    const other = await panelAccount();
    const person = await other.addPerson("owner");
    await signInContext(context, person);
    await prisma().user.update({ where: { id: person.userId }, data: { name: ARABIC } });
    const template = { name: ARABIC, promptTemplate: "Hello", tags: [ARABIC.slice(0, 40)] };
    const { body } = await apiClient(suite.url, other.apiKey).post<{ slug: string }>("/templates", template);
    await page.goto("/panel/templates");
    const cell = page.getByRole("cell").filter({ hasText: ARABIC }).first();
    for (const place of [cell, cell.getByText(ARABIC)]) expect(await place.evaluate(showsFirstLetter)).toBe(true);
    const [slug, around] = await Promise.all([cell.getByText(body.slug).boundingBox(), cell.boundingBox()]);
    expect((slug?.x ?? 0) + (slug?.width ?? 0)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0));
    await page.goto("/panel/settings/team");
    const member = page.getByRole("cell").filter({ hasText: person.email }).first();
    for (const place of [member, member.getByText(ARABIC)]) expect(await place.evaluate(showsFirstLetter)).toBe(true);
  });

  test("begins with a way past the navigation, and marks where the reader is", async ({ page }) => {
    await page.goto("/panel/api-b2b/api-keys");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
    await expect(page.getByRole("main")).toHaveCSS("outline-style", "none");
    const navigation = page.getByRole("navigation", { name: "Panel" });
    await expect(navigation.locator("[aria-current=page]")).toHaveText("API Keys");
  });

  test("shows that a page is on its way when it takes its time", async ({ page }) => {
    await page.goto("/panel/api-b2b/api-keys");
    let answer: () => void = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/_rsc=/, async (route) => {
      await isAnswered;
      await route.continue();
    });
    const sign = page.getByRole("progressbar", { name: "The page is coming" });
    await page.getByRole("navigation", { name: "Panel" }).getByRole("link", { name: "Logs" }).click();
    await expect(sign).toBeVisible();
    answer();
    await expect(page.getByRole("heading", { level: 1, name: "Logs" })).toBeVisible();
    await expect(sign).toHaveCount(0);
  });

  test("switches the project, and stays in the same place", async ({ page }) => {
    const own = await panelAccount();
    await signInContext(page.context(), await own.addPerson("owner"));
    const id = newId("project");
    const name = "Second project";
    await prisma().project.create({ data: { id, accountId: own.accountId, name, callbackSecretEncrypted: "x" } });
    await page.goto("/panel/api-b2b/api-keys");
    const switcher = page.getByRole("button", { name: /^Project/ });
    await switcher.click();
    await page.getByRole("dialog", { name: "Switch the project" }).getByRole("button", { name }).click();
    await expect(switcher).toContainText(name);
    await expect(page).toHaveURL("/panel/api-b2b/api-keys");
    await page.reload();
    await expect(switcher).toContainText(name);
  });

  test("marks the project that is shown, however long its name is", async ({ page, context }) => {
    const { projectId, addPerson } = await panelAccount();
    await prisma().project.update({ where: { id: projectId }, data: { name: "a-long-name-in-one-word".repeat(4) } });
    await signInContext(context, await addPerson("owner"));
    await page.goto(SEARCH);
    await page.getByRole("button", { name: /^Project a-long-name/ }).click();
    const shown = page.getByRole("dialog", { name: "Switch the project" }).locator("[aria-current]");
    await expect(shown.locator("svg")).toBeInViewport({ ratio: 1 });
  });

  test("shows projects by their whole names, and finds one of many by a word of it", async ({ page, context }) => {
    const own = await panelAccount();
    await signInContext(context, await own.addPerson("owner"));
    const begin = "Invoices of the northern branch, which all begin alike, number";
    await prisma().project.createMany({
      data: Array.from({ length: 12 }, (_, index) => ({
        ...{ id: newId("project"), accountId: own.accountId, name: `${begin} ${index + 1}` },
        callbackSecretEncrypted: "x",
      })),
    });
    await page.goto(SEARCH);
    const switcher = page.getByRole("button", { name: /^Project/ });
    await switcher.click();
    const dialog = page.getByRole("dialog", { name: "Switch the project" });
    const projects = dialog.getByRole("listitem");
    await expect(projects).toHaveCount(13);
    const last = projects.getByText(`${begin} 12`);
    expect(await last.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    await expect(dialog.getByRole("textbox", { name: "Find a project" })).toBeFocused();
    await page.keyboard.type("NUMBER 12");
    await expect(projects).toHaveCount(1);
    await page.keyboard.type("x");
    await expect(dialog.getByText("No project has this in its name.")).toBeVisible();
    await page.keyboard.press("Backspace");
    await projects.getByRole("button").click();
    await expect(switcher).toContainText(begin);
  });

  test("counts the open alerts of the account alone", async ({ page }) => {
    const own = await panelAccount();
    await signInContext(page.context(), await own.addPerson("member"));
    const alert = { accountId: own.accountId, kind: "webhook.failed", message: "A receiver failed." };
    await prisma().alert.createMany({
      data: [
        { id: newId("alert"), ...alert },
        { id: newId("alert"), ...alert, dismissedAt: new Date() },
        { id: newId("alert"), ...alert, accountId: account.accountId },
      ],
    });
    await page.goto(SEARCH);
    await expect(page.getByRole("link", { name: "1 open alert", exact: true })).toBeVisible();
    await prisma().alert.createMany({
      data: Array.from({ length: 100 }, () => ({ id: newId("alert"), ...alert })),
    });
    await page.reload();
    // Whoever speaks to the browser says what stands there: the name has the badge's text in it.
    await expect(page.getByRole("link", { name: "99+ open alerts", exact: true })).toHaveText("99+");
  });

  test("signs out for good", async ({ page, context }) => {
    const cookies = await context.cookies();
    await page.goto(SEARCH);
    await page.getByRole("button", { name: /^You: / }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(/\/panel\/sign-in/);
    await context.addCookies(cookies);
    await page.goto(SEARCH);
    await expect(page).toHaveURL(/\/panel\/sign-in/);
  });

  test("says where nobody could be signed out, keeps what is typed, and does it with the next press", async ({
    page,
    faults,
  }) => {
    await page.goto("/panel/settings/account");
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("Half a name");
    await page.route("**/panel/**", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await page.getByRole("button", { name: /^You: / }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    const asked = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await asked.getByRole("button", { name: "Leave" }).click();
    await expectToast(page, "you may still be signed in");
    await expect(name).toHaveValue("Half a name");
    await page.unrouteAll();
    await page.getByRole("button", { name: /^You: / }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await asked.getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL(/\/panel\/sign-in/);
    // The browser itself reports what did not answer.
    faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
  });

  test("takes its open menus away with the page that they were opened on", async ({ page }) => {
    await page.goto(SEARCH);
    for (const [name, menu] of [
      [/^You: /, "You"],
      [/^Project/, "Switch the project"],
    ] as const) {
      await page.getByRole("link", { name: "Templates" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Templates" })).toBeVisible();
      await page.getByRole("button", { name }).click();
      await expect(page.getByRole("dialog", { name: menu })).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(SEARCH);
      await expect(page.getByRole("dialog", { name: menu })).toBeHidden();
    }
  });

  test("opens its navigation on a phone, and gives the focus back", async ({ page }) => {
    await page.setViewportSize(PHONE);
    await page.goto(SEARCH);
    const open = page.getByRole("button", { name: "Open the navigation" });
    const drawer = page.getByRole("dialog", { name: "Navigation" });
    await open.click();
    await expect(drawer.getByRole("link", { name: "API Keys" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
    await expect(open).toBeFocused();
    await open.click();
    await drawer.getByRole("link", { name: "API Keys" }).click();
    await expect(page).toHaveURL("/panel/api-b2b/api-keys");
    await expect(drawer).toBeHidden();
  });

  test("shows the whole name of the product on the narrowest phone, and on tablets beside more links", async ({
    page,
  }) => {
    await page.goto("/docs");
    for (const width of [768, 640, 320]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await hiddenPixels(page.getByRole("banner"))).toBeLessThanOrEqual(1);
    }
    // As a scroll bar takes that has a place of its own, which is none that this browser shows here.
    await page.evaluate(() => Object.assign(document.documentElement.style, { paddingRight: "15px" }));
    expect(await hiddenPixels(page.getByRole("banner"))).toBeLessThanOrEqual(1);
    await page.goto(SEARCH);
    await page.getByRole("button", { name: "Open the navigation" }).click();
    expect(await hiddenPixels(page.getByRole("dialog", { name: "Navigation" }))).toBeLessThanOrEqual(1);
  });

  test("keeps what is not there inside the shell", async ({ page, faults }) => {
    await page.goto("/panel/no/such/page");
    await expect(page.getByRole("heading", { level: 1, name: "Not found" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Panel" })).toBeVisible();
    // The browser itself reports the status of a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
  });

  test("says that nothing is there in the reader's theme, and follows it", async ({ page, faults }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/panel/no/such/page");
    await expect(page.getByRole("heading", { level: 1, name: "Not found" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    // The browser itself reports the status of a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
  });

  test("opens the menu of somebody with a long address within the page", async ({ page }) => {
    await page.setViewportSize(PHONE);
    await page.goto(SEARCH);
    await page.getByRole("button", { name: /^You: / }).click();
    await expect(page.getByRole("radio", { name: "Dark theme" })).toBeInViewport({ ratio: 1 });
    await expectNoSidewaysScroll(page);
    await saveScreenshot(page, "user-menu", PHONE.width, "light");
  });

  test("is well made", async ({ page }) => {
    await page.goto(`${SEARCH}?q=ses_nowhere`);
    await expect(nothing(page)).toBeVisible();
    await expectWellMade(page, "search");
  });
});

test.describe("staff", () => {
  test("have a shell of their own, that is not there for others", async ({ page, browser, faults }) => {
    const answer = await page.goto("/staff/no/such/page");
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("navigation", { name: "Staff" })).toBeHidden();
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
    const staff = await staffPage(browser);
    await staff.page.goto("/staff/no/such/page");
    await expect(staff.page.getByRole("navigation", { name: "Staff" })).toBeVisible();
    await staff.context.close();
  });
});
