import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { teamOf } from "@/e2e/support/large-team";
import { type PanelAccount, panelAccount, signInContext, type TestPerson } from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { createTemplate } from "@/lib/services/templates/create-template";

let account: PanelAccount;
let owner: TestPerson;

test.beforeAll(async () => {
  account = await panelAccount();
  owner = await account.addPerson("owner");
});

/** Holds the scripts of each page back until what is returned is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/**/*.js*", async (route) => {
    await gate;
    // Those of a page that was left are wanted no more.
    await route.continue().catch(() => {});
  });
  return release;
}

/** Opens a page whose scripts stay away until `arrive` is called, which returns when they have taken the page over. */
async function openWithoutScripts(page: Page, path: string): Promise<() => Promise<void>> {
  const release = await holdScripts(page);
  const opened = page.goto(path);
  return async () => {
    release();
    await opened;
  };
}

test.describe("before a page's scripts have come", () => {
  for (const way of ["Enter", "a press of the button"]) {
    test(`a sign-in that is sent with ${way} waits for them, and its password never stands in an address`, async ({
      page,
    }) => {
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      const arrive = await openWithoutScripts(page, "/panel/sign-in?next=/panel/usage");
      await page.getByLabel("E-mail").fill(owner.email);
      await page.getByLabel("Password").fill(owner.password);
      if (way === "Enter") await page.keyboard.press("Enter");
      else await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await arrive();
      await expect(page).toHaveURL("/panel/usage");
      expect(asked.filter((address) => address.includes("password="))).toEqual([]);
    });
  }

  test("a page that is loaded anew keeps what was written of oneself, and never the password", async ({ page }) => {
    const release = await holdScripts(page);
    await page.goto("/panel/sign-up", { waitUntil: "commit" });
    await page.getByLabel("Company").fill("Blue Ltd");
    await page.getByLabel("Password").fill("a boat under a bridge");
    await page.reload({ waitUntil: "commit" });
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("boat");
    release();
    await expect(page.getByLabel("Company")).toHaveValue("Blue Ltd");
    await expect(page.getByLabel("Password")).toHaveValue("");
  });

  test("a page that is loaded anew just as its scripts come keeps what they were about to take over", async ({
    page,
  }) => {
    const release = await holdScripts(page);
    await page.goto("/panel/sign-up", { waitUntil: "commit" });
    await page.getByLabel("Company").fill("Blue Ltd");
    await page.getByLabel("E-mail").fill("new@example.test");
    // As React does, without an event, before the form hears of it.
    await page.getByLabel("Company").evaluate((field: HTMLInputElement) => {
      field.value = "";
    });
    await page.reload({ waitUntil: "commit" });
    release();
    await expect(page.getByLabel("E-mail")).toHaveValue("new@example.test");
    await expect(page.getByLabel("Company")).toHaveValue("Blue Ltd");
  });

  test("a page that goes without a word has kept what was written", async ({ page }) => {
    // As one whose tab is closed by the system, or whose last moments are not waited for.
    await page.addInitScript(() => addEventListener("pagehide", (event) => event.stopImmediatePropagation(), true));
    await page.goto("/panel/sign-up");
    await page.getByLabel("Company").fill("Blue Ltd");
    await page.reload();
    await expect(page.getByLabel("Company")).toHaveValue("Blue Ltd");
  });

  for (const [where, prepare] of [
    ["", async () => {}],
    [
      ", also where the browser has no entry of how it was come to",
      (page: Page) =>
        page.addInitScript(() => {
          performance.getEntriesByType = () => [];
          Object.defineProperty(performance, "navigation", { value: undefined });
        }),
    ],
  ] as const) {
    test(`a field that is written in before the others have theirs back leaves them theirs${where}`, async ({
      page,
    }) => {
      await prepare(page);
      await page.goto("/panel/sign-up");
      await page.getByLabel("Company").fill("Blue Ltd");
      await page.getByLabel("E-mail").fill("old@example.test");
      const release = await holdScripts(page);
      await page.reload({ waitUntil: "commit" });
      await page.getByLabel("E-mail").fill("new@example.test");
      release();
      await expect(page.getByLabel("Company")).toHaveValue("Blue Ltd");
      await expect(page.getByLabel("E-mail")).toHaveValue("new@example.test");
    });
  }

  test("a page that is loaded anew keeps what the browser itself put back", async ({ page }) => {
    const release = await holdScripts(page);
    await page.goto("/panel/sign-up", { waitUntil: "commit" });
    await page.getByLabel("Company").fill("Blue Ltd");
    await page.reload({ waitUntil: "commit" });
    // Browsers do so without an event.
    await page.getByLabel("Company").evaluate((field: HTMLInputElement) => {
      field.value = "Blue Ltd";
    });
    release();
    await page.waitForLoadState();
    await page.getByLabel("E-mail").fill("new@example.test");
    await page.getByLabel("E-mail").press("Enter");
    await expect(page.getByLabel("Password")).toBeFocused();
    await expect(page.getByLabel("Company")).toHaveValue("Blue Ltd");
  });

  test("fields keep what was typed and switched, and it is saved", async ({ page, context }) => {
    await signInContext(context, owner);
    const arrive = await openWithoutScripts(page, "/panel/settings/project");
    await page.getByLabel("System prompt").fill("Be brief.");
    await page.getByLabel("Remember end users").evaluate((field: HTMLInputElement) => field.click());
    await arrive();
    await expect(page.getByLabel("Remember end users")).toBeChecked();
    await expect(page.getByLabel("System prompt")).toHaveValue("Be brief.");
    for (const field of ["System prompt", "Remember end users"]) {
      await page
        .locator("form")
        .filter({ has: page.getByLabel(field) })
        .getByRole("button", { name: "Save" })
        .click();
    }
    await expect
      .poll(() => prisma().project.findUniqueOrThrow({ where: { id: account.projectId } }))
      .toMatchObject({ systemPrompt: "Be brief.", apiMemoryPerUser: true });
  });

  test("an editor knows of what was typed, and saves it when that was asked for", async ({ page, context }) => {
    await signInContext(context, owner);
    const arrive = await openWithoutScripts(page, "/panel/templates/new");
    await page.getByLabel("Name", { exact: true }).fill("Early bird");
    await page.getByLabel("Tags").fill("early");
    await page.getByRole("textbox", { name: "Template text" }).fill("Hello {{name}}");
    await page.getByLabel("Tags").press("Enter");
    await arrive();
    await expect(page).toHaveURL(/\/panel\/templates\/tpl_/);
    const made = await prisma().template.findFirst({ where: { projectId: account.projectId } });
    expect(made).toMatchObject({ name: "Early bird", tags: ["early"] });
  });

  test("a member of a large team is found by what was typed", async ({ page, context }) => {
    await signInContext(context, await (await teamOf(20)).addPerson("owner"));
    const arrive = await openWithoutScripts(page, "/panel/settings/team");
    await page.getByLabel("Find a member").fill("Zoë");
    await page.getByLabel("Find a member").press("Enter");
    await arrive();
    await expect(page.getByText("1 of 21 members", { exact: true })).toBeVisible();
    await expect(page.getByLabel("Find a member")).toHaveValue("Zoë");
  });

  test("a trial of a template knows of each value that was typed", async ({ page, context }) => {
    await signInContext(context, owner);
    const { id } = await createTemplate(account.principal, {
      name: "Letter",
      promptTemplate: "Write to {{name}} in {{town}}.",
    });
    const arrive = await openWithoutScripts(page, `/panel/templates/${id}`);
    await page.getByLabel("name", { exact: true }).fill("Ada");
    await page.getByLabel("town", { exact: true }).fill("Turin");
    await page.getByLabel("Message").fill("Be brief.");
    await arrive();
    const asked = page.getByRole("region", { name: "Text of the call" });
    await expect(asked).toContainText("Write to Ada in Turin.");
    await expect(asked).toContainText("Be brief.");
  });
});

test("says before the panel that scripts are needed where they are switched off, and to nobody else", async ({
  page,
  browser,
}) => {
  const plain = await browser.newContext({ baseURL: suite.url, javaScriptEnabled: false });
  const without = await plain.newPage();
  for (const path of ["/panel/sign-in", "/panel/sign-up"]) {
    await without.goto(path);
    // No text in there is found by its words: those of Playwright pass over the element.
    const words = without.locator("form noscript > [role=alert]");
    await expect(words).toBeVisible();
    await expect(words).toHaveText(/^This page needs JavaScript/);
    await page.goto(path);
    await expect(page.locator("form noscript > *")).toHaveCount(0);
  }
  await plain.close();
});
