import { expect, type Page } from "playwright/test";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { finishedChat } from "@/e2e/support/finished-chat";
import { expectWellMade } from "@/e2e/support/page-look";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { suite } from "@/e2e/support/suite";

const PATH = "/panel/sessions";
const HOSTILE = `<img src=x onerror="window.hacked=1">`;

const own = usePanelOwner();
let api: ApiClient;

test.beforeAll(async () => {
  api = apiClient(suite.url, own.account.apiKey);
});

/** A turn that a found row led to stands where it is read at once. */
async function expectAtTop(page: Page, number: number): Promise<void> {
  const turn = page.getByRole("article", { name: `Turn ${number}`, exact: true });
  await expect
    .poll(() => turn.evaluate((element) => Math.round(element.getBoundingClientRect().top)))
    .toBeLessThan(300);
}

async function filterByWords(page: Page, words: string): Promise<void> {
  await page.getByRole("button", { name: "Words" }).click();
  await page.getByRole("textbox", { name: "Words" }).fill(words);
  await page.keyboard.press("Enter");
}

test.describe("words in sessions", () => {
  test("finds a conversation by what was said, and leads to the turn", async ({ page }) => {
    const sessionId = await finishedChat(api, `Where is parcel ZX-81 of ${HOSTILE} Miller?`);
    for (let turn = 2; turn <= 6; turn += 1)
      await finishedChat(api, `And then, ${"quite long ".repeat(400)}?`, { sessionId });
    await finishedChat(api, "Where is parcel ZX-82?");
    await page.goto(PATH);
    await filterByWords(page, "miller ZX-81");
    await expect(page).toHaveURL(/words=miller\+ZX-81/);
    const row = page.getByRole("row").filter({ hasText: "Turn 1, answered:" });
    await expect(row).toHaveCount(1);
    await expect(row.locator("mark")).toHaveText(["ZX-81", "Miller"]);
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
    await expect(page.getByText("Newest first, all looked through")).toBeVisible();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await expectWellMade(page, "sessions-words");
    await row.getByRole("link").click();
    await expect(page).toHaveURL(new RegExp(`${PATH}/${sessionId}#turn-1$`));
    await expect(page.getByRole("article", { name: "Turn 1", exact: true })).toBeInViewport();
  });

  test("opens a turn that is not among the newest ones", async ({ page }) => {
    const sessionId = await finishedChat(api, "The needle is here");
    await finishedChat(api, "x".repeat(99_990), { sessionId });
    await finishedChat(api, "The end", { sessionId });
    await page.goto(`${PATH}?words=needle`);
    await page.getByRole("table").getByRole("link").click();
    await expect(page).toHaveURL(new RegExp(`${PATH}/${sessionId}\\?before=1#turn-1$`));
    await expect(page.getByRole("article", { name: "Turn 1", exact: true })).toBeInViewport();
    await expect(page.getByRole("link", { name: "Show the newest turns" })).toBeVisible();
  });

  test("leads to the middle of a long conversation", async ({ page }) => {
    const sessionId = await finishedChat(api, `First, ${"quite long ".repeat(900)}`);
    await finishedChat(api, "The haystack", { sessionId });
    await finishedChat(api, `And then, ${"quite long ".repeat(900)}`, { sessionId });
    await page.goto(`${PATH}?words=haystack`);
    await page.getByRole("table").getByRole("link").click();
    await expectAtTop(page, 2);
  });

  test("says what to do when nobody said that", async ({ page }) => {
    await page.goto(`${PATH}?words=unheard-of`);
    await expect(page.getByText("Nobody said that")).toBeVisible();
    await expectWellMade(page, "sessions-words-none");
    await page.goto(`${PATH}?words=%22%22`);
    await expect(page.getByText("This filter cannot be read")).toBeVisible();
    await page.getByRole("button", { name: "Remove the filter Words" }).click();
    await expect(page).toHaveURL(new RegExp(`${PATH}$`));
  });
});
