import { expect } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { finishedChat } from "@/e2e/support/finished-chat";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";

const PATH = "/panel/api-b2b/api-keys";

test.describe("what a key may use in a month", () => {
  test("is set as the key is made, holds, and is changed from the next call on", async ({ page, context }) => {
    const account = await panelAccount();
    await signInContext(context, await account.addPerson("admin"));
    await page.goto(PATH);
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create an API key" });
    await dialog.getByLabel("Name").fill("Staging");
    await dialog.getByLabel("Credits a month").fill("0");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog.getByLabel("Credits a month")).toHaveAccessibleDescription(/at least 1 credit/);
    await dialog.getByLabel("Credits a month").fill("1");
    await expectWellMade(page, "key-create-limited");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const code = page.getByRole("dialog", { name: "Your new API key" }).locator("code").first();
    const api = apiClient(suite.url, (await code.textContent()) ?? "");
    await page.getByRole("button", { name: "I have kept it" }).click();

    await finishedChat(api, "Hello");
    expect((await api.post("/chat", { message: "More" })).status).toBe(402);
    await page.getByRole("row").filter({ hasText: "Staging" }).getByRole("link").click();
    const detail = page.getByRole("dialog", { name: "Staging", exact: true });
    await expect(detail).toContainText("1 of 1 this month");

    await detail.getByRole("button", { name: "Limit" }).click();
    const limit = page.getByRole("dialog", { name: "Limit Staging" });
    await expect(limit.getByLabel("Credits a month")).toHaveValue("1");
    await limit.getByLabel("Credits a month").fill("500");
    await expectWellMade(page, "key-limit");
    await limit.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Saved. It holds from the next call on.");
    await expect(detail).toContainText("1 of 500 this month");
    expect((await api.post("/chat", { message: "More" })).status).toBe(202);
  });

  test("is shown to members, who cannot change it", async ({ page, context }) => {
    const account = await panelAccount();
    await signInContext(context, await account.addPerson("member"));
    await page.goto(PATH);
    await page.getByRole("table").getByRole("link").first().click();
    await expect(page.getByRole("dialog")).toContainText("0 this month");
    await expect(page.getByRole("button", { name: "Limit" })).toHaveCount(0);
  });
});
