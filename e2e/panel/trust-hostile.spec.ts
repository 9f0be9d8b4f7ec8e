import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { addressOf, type FilledAccount, filledAccount } from "@/e2e/support/filled-account";
import { signInContext, staffPerson, type TestPerson } from "@/e2e/support/panel-browser";
import { readPages } from "@/e2e/support/panel-source";

/** Texts of strangers in every place that takes one, and every page visited: they are shown, and never run. */

const HOSTILE = [
  `<img src=x onerror="window.__xss=1">`,
  `"><script>window.__xss=2</script>`,
  "\u202e[press](javascript:window.__xss=3)",
  "![spy](https://spy.example/p.png)",
  "<svg/onload=window.__xss=4>{{constructor}}",
].join(" ");

const PAGES = readPages().filter(({ audience }) => audience === "panel" || audience === "staff");
/** What opens beside a page, by its address. */
const VIEWS: Record<string, string[]> = {
  "/panel/sessions/[id]": ["?tab=files", "?tab=timeline", "?tab=events"],
  "/panel/knowledge/[id]": ["?tab=history", "?tab=versions", "?tab=preview"],
  "/panel/templates/[id]": ["?tab=versions", "?tab=test", "?tab=use"],
  "/panel/end-users/[id]": ["?tab=memory"],
};

let filled: FilledAccount;
let owner: TestPerson;
let staff: TestPerson;

test.beforeAll(async () => {
  filled = await filledAccount(HOSTILE);
  [owner, staff] = await Promise.all([filled.addPerson("owner"), staffPerson()]);
});

test.beforeEach(async ({ page }) => {
  page.on("dialog", (dialog) => {
    throw new Error(`A page opened a dialog: ${dialog.message()}`);
  });
});

/** Pages on which the texts stood: where they are not, nothing was tried. */
const shownOn: string[] = [];

for (const { audience, path } of PAGES.filter((page) => !page.path.includes("[..."))) {
  test(`hostile texts never run on ${path}, nor ask another host for anything`, async ({ page, context }) => {
    await signInContext(context, audience === "staff" ? staff : owner);
    for (const view of ["", ...(VIEWS[path] ?? [])]) {
      await open(page, addressOf(filled, path) + view);
      if ((await page.content()).includes("__xss=4")) shownOn.push(path);
    }
  });
}

test("the pages do show the texts", () => {
  const isStaff = (path: string) => path.startsWith("/staff");
  expect(new Set(shownOn.filter(isStaff)).size).toBeGreaterThan(3);
  expect(new Set(shownOn.filter((path) => !isStaff(path))).size).toBeGreaterThan(8);
});

test("a hostile search and hostile filters are texts", async ({ page, context }) => {
  await signInContext(context, owner);
  const query = encodeURIComponent(HOSTILE);
  await open(page, `/panel/search?q=${query}`);
  for (const { path } of PAGES.filter(({ audience, path }) => audience === "panel" && !path.includes("["))) {
    const all = ["q", "status", "offset", "show", "key", "tab"].map((name) => `${name}=${query}&`).join("");
    await open(page, `${path}?${all}toString=a&constructor=b&__proto__=c`);
  }
});

async function open(page: Page, address: string): Promise<void> {
  const response = await page.goto(address);
  expect([address, (response?.status() ?? 0) < 500]).toEqual([address, true]);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  expect([address, await page.evaluate(() => "__xss" in window)]).toEqual([address, false]);
  const links = await page.evaluate(() =>
    [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")),
  );
  expect(links.filter((href) => /^\s*(javascript|data|vbscript):/i.test(href ?? ""))).toEqual([]);
}
