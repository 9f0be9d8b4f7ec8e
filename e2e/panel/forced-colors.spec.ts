import { expect, type Locator, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { type PanelAccount, panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { prisma } from "@/lib/db/prisma";
import { dateOf } from "@/lib/domain/usage-period";

/** In Windows' high contrast the system sets the colours: what is drawn as a background alone would not be seen. */

/** All that has turns, in the order of the chart's layers. */
const ENDPOINTS = ["POST /b2b/send", "POST /chat", "POST /process", "POST /process/batch"];

let account: PanelAccount;

test.beforeAll(async () => {
  account = await panelAccount();
  const { accountId, projectId } = account;
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 48 * 3_600_000);
  await prisma().usageDay.createMany({
    data: ENDPOINTS.map((endpoint) => {
      const day = new Date(`${dateOf(new Date())}T00:00:00.000Z`);
      return {
        accountId,
        projectId,
        endpoint,
        endUserId: "",
        day,
        requests: 1,
        tokensIn: 900,
        tokensOut: 90,
        credits: 1,
      };
    }),
  });
  await prisma().callHour.create({
    data: { accountId, projectId, hour, requests: 40, clientErrors: 9, serverErrors: 7 },
  });
});

test.beforeEach(async ({ page, context }) => {
  await signInContext(context, await account.addPerson("owner"));
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
});

test.afterEach(({ page }) => page.emulateMedia({ forcedColors: null, reducedMotion: null }));

/** As the browser draws it: in these colours that is not what the style sheet says. */
function drawn(place: Locator, property: string): Promise<string> {
  return place.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
}

/** The colour that the system gives the page. */
const ground = (page: Page) => drawn(page.locator("html"), "background-color");

test("a switch that is on looks another than one that is off, and both are seen", async ({ page }) => {
  await page.goto("/panel/playground");
  const control = page.locator(".switch__control").first();
  const looks = async () => ({
    track: await drawn(control, "background-color"),
    thumb: await drawn(control.locator(".switch__thumb"), "background-color"),
    edge: await drawn(control, "border-top-width"),
  });
  const off = await looks();
  await control.click();
  await expect(page.locator(".switch").first()).toHaveAttribute("data-selected", "true");
  const on = await looks();
  for (const { track, thumb, edge } of [off, on]) {
    expect(thumb).not.toBe(track);
    expect(edge).toBe("1px");
  }
  expect(on.track).not.toBe(off.track);
});

test("a primary button has an edge, and the place in the navigation is marked", async ({ page }) => {
  await page.goto("/panel/api-b2b/api-keys");
  const button = page.locator(".button--primary").first();
  expect(await drawn(button, "border-top-width")).toBe("2px");
  expect(await drawn(button, "border-top-color")).not.toBe(await ground(page));
  const place = page.getByRole("navigation", { name: "Panel" }).locator("[aria-current=page]");
  expect(await drawn(place, "background-color")).not.toBe(await ground(page));
  expect(await drawn(place, "color")).not.toBe(await drawn(place, "background-color"));
});

test("the focus is seen on a button, whose ring is a shadow otherwise", async ({ page }) => {
  await page.goto("/panel/api-b2b/api-keys");
  const button = page.locator(".button--primary").first();
  await page.keyboard.press("Tab");
  await button.focus();
  expect(await drawn(button, "outline-style")).toBe("solid");
  expect(await drawn(button, "outline-color")).not.toBe(await ground(page));
});

test("a button of words alone has an edge too", async ({ page }) => {
  await page.goto("/panel/playground");
  for (const name of ["Fill in the example", /^You:/]) {
    const button = page.getByRole("button", { name });
    expect(await drawn(button, "border-top-width")).toBe("1px");
    expect(await drawn(button, "border-top-color")).not.toBe(await ground(page));
  }
});

test("what lies over the page has an edge", async ({ page }) => {
  await page.goto("/panel/api-b2b/api-keys");
  await page.getByRole("button", { name: /^You:/ }).click();
  expect(await drawn(page.locator(".popover"), "border-top-width")).toBe("1px");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create key" }).click();
  expect(await drawn(page.getByRole("dialog", { name: "Create an API key" }), "border-top-width")).toBe("1px");
});

test("the layers of a bar are hatched, each in another way, in the bar as in the legend", async ({ page }) => {
  await page.goto("/panel/usage");
  const layers = page.locator(".recharts-bar-rectangle path");
  await expect(layers).toHaveCount(ENDPOINTS.length);
  const legend = page.getByRole("figure", { name: "Tokens per day by endpoint" }).locator("figcaption svg path");
  const strokes = await legend.evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
  expect(new Set(strokes).size).toBe(ENDPOINTS.length);
  const fills = await layers.evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill));
  const hatches = fills.map((fill) => /^url\("#(.+)"\)$/.exec(fill)?.[1] ?? null);
  const drawnStrokes = await page.evaluate(
    (ids) => ids.map((id) => (id && document.getElementById(id)?.querySelector("path")?.getAttribute("d")) ?? ""),
    hatches,
  );
  expect(drawnStrokes).toEqual(strokes);
});

test("charts, their legends and the dots of states differ from the ground", async ({ page }) => {
  await page.goto("/panel");
  await expect(page.locator(".recharts-surface").first()).toBeVisible();
  const bar = page.locator(".recharts-bar-rectangle path").first();
  await bar.scrollIntoViewIfNeeded();
  expect(await drawn(bar, "fill")).not.toBe(await ground(page));
  const mark = page.locator("figcaption svg rect").first();
  expect(await drawn(mark, "fill")).not.toBe(await ground(page));
  await page.goto("/panel/api-b2b/api-keys");
  const dot = page.locator("td span.rounded-full").first();
  expect(await drawn(dot, "background-color")).not.toBe(await ground(page));
});
