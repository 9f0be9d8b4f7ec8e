import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { finishedChat } from "@/e2e/support/finished-chat";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { type PanelAccount, panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { PROJECT, save } from "@/e2e/support/panel-settings";
import { suite } from "@/e2e/support/suite";

let account: PanelAccount;

test.beforeEach(async ({ context }) => {
  account = await panelAccount();
  await signInContext(context, await account.addPerson("admin"));
});

/** Of each limit, its field. */
const FIELDS = {
  project: "Credits a month, all together",
  endUser: "Credits a month, each end user",
  call: "Credits a call",
};
type Limit = keyof typeof FIELDS;

const field = (page: Page, of: Limit) => page.getByLabel(FIELDS[of]);

/** As the form says it: null is no limit. */
async function limit(page: Page, of: Limit, credits: number | null): Promise<void> {
  await page.goto(PROJECT);
  await field(page, of).fill(credits === null ? "" : String(credits));
  await save(page, "Limits");
  await expectToast(page, "Saved. It holds from the next call on.");
}

const say = (message: string, endUserId?: string) =>
  apiClient(suite.url, account.apiKey).post("/chat", { message, endUserId });

const chat = (endUserId?: string) => finishedChat(apiClient(suite.url, account.apiKey), "Hello", { endUserId });

test.describe("what may be used", () => {
  for (const whose of ["project", "endUser", "call"] as const) {
    test(`is a whole number of credits, said at its field: ${whose}`, async ({ page }) => {
      await page.goto(PROJECT);
      await field(page, whose).fill("0");
      await save(page, "Limits");
      await expect(field(page, whose)).toHaveAccessibleDescription(/at least 1 credit/);
    });
  }

  test("by the whole project is held to, shown with its usage, and lifted from the next call on", async ({ page }) => {
    await page.goto("/panel/usage");
    await expect(page.getByText(/plan of the account/)).toBeVisible();
    await expect(page.getByText("This project:")).toHaveCount(0);
    await limit(page, "project", 1);
    await chat();
    expect((await say("More", "ada")).body).toMatchObject({ error: { code: "PROJECT_LIMIT_REACHED" } });
    await page.goto("/panel/usage");
    await expect(page.getByText("This project: 1 of 1 credit used this month.")).toBeVisible();
    await expectWellMade(page, "usage-project-limit");
    await limit(page, "project", null);
    expect((await say("More")).status).toBe(202);
  });

  test("by each end user is held to and shown with theirs, and lifted from the next call on", async ({ page }) => {
    await limit(page, "endUser", 1);
    await expectWellMade(page, "settings-project-limits");
    await chat("ada");
    expect((await say("More", "ada")).body).toMatchObject({ error: { code: "END_USER_LIMIT_REACHED" } });
    await page.goto("/panel/end-users/ada");
    await expect(page.getByText("1 of 1 this month")).toBeVisible();
    await limit(page, "endUser", null);
    expect((await say("More", "ada")).status).toBe(202);
  });

  test("by each call is held to, and lifted from the next call on", async ({ page }) => {
    await limit(page, "call", 1);
    const api = apiClient(suite.url, account.apiKey);
    const long = async () => {
      const { body } = await say("Long [[size:40000]]");
      return api.waitUntilDone(`/chat/${body.sessionId}`);
    };
    expect(await long()).toMatchObject({ error: { code: "MAX_CREDITS_REACHED" }, creditsUsed: 0 });
    await limit(page, "call", null);
    expect(await long()).toMatchObject({ status: "completed" });
  });

  test("is told to members, who cannot change it", async ({ page, context }) => {
    await limit(page, "project", 1_000);
    await limit(page, "call", 7);
    await signInContext(context, await account.addPerson("member"));
    await page.goto(PROJECT);
    await expect(page.getByText("1,000 a month")).toBeVisible();
    await expect(page.getByText("7 at most")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  });
});
