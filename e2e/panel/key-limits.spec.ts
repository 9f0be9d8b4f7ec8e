import { expect } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { finishedChat } from "@/e2e/support/finished-chat";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { limitApiKey } from "@/lib/services/api-keys/limit-api-key";

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

  test("and from where, is set and changed, with what is none named; what somebody else changed meanwhile stays", async ({
    page,
    context,
  }) => {
    const account = await panelAccount();
    await signInContext(context, await account.addPerson("admin"));
    await page.goto(PATH);
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create an API key" });
    await dialog.getByLabel("Name").fill("Billing");
    await dialog.getByLabel("Allowed from").fill("203.0.113.7/24, office");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog.getByLabel("Allowed from")).toHaveAccessibleDescription(/“office” is neither an address nor/);
    await expectWellMade(page, "key-create-networks");
    await dialog.getByLabel("Allowed from").fill("203.0.113.7/24\n2001:db8::/32");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const code = page.getByRole("dialog", { name: "Your new API key" }).locator("code").first();
    const api = apiClient(suite.url, (await code.textContent()) ?? "");
    await page.getByRole("button", { name: "I have kept it" }).click();
    expect((await api.get("/account")).status).toBe(403);

    await page.getByRole("row").filter({ hasText: "Billing" }).getByRole("link").click();
    const detail = page.getByRole("dialog", { name: "Billing", exact: true });
    await expect(detail).toContainText("203.0.113.0/242001:db8::/32");
    await detail.getByRole("button", { name: "Limit" }).click();
    const limit = page.getByRole("dialog", { name: "Limit Billing" });
    await expect(limit.getByLabel("Allowed from")).toHaveValue("203.0.113.0/24\n2001:db8::/32");
    await limit.getByLabel("Allowed from").fill("127.0.0.1");
    const { accountId, projectId } = account;
    const [key] = await prisma().apiKey.findMany({ where: { projectId, name: "Billing" } });
    await limitApiKey(OPERATOR, { accountId, projectId }, { keyId: key?.id ?? "", creditsPerMonth: 700 });
    await limit.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Saved. It holds from the next call on.");
    await expect(detail).toContainText("0 of 700 this month");
    await expect(detail).toContainText("Allowed from127.0.0.1");
    await expectWellMade(page, "key-networks");
    expect((await api.get("/account")).status).toBe(200);
    // A key's last use is written down a moment behind its call.
    await expect
      .poll(() => prisma().apiKey.findUnique({ where: { id: key?.id ?? "" } }))
      .toMatchObject({ lastUsedIp: "127.0.0.1" });
    await page.reload();
    await detail.getByRole("button", { name: "Limit" }).click();
    await expect(limit.getByLabel("Allowed from")).toHaveAccessibleDescription(
      /Its last call came from 127\.0\.0\.1\./,
    );
    await expectWellMade(page, "key-limit-networks");

    await limit.getByLabel("Allowed from").fill("127.0.0.1\n203.0.113.0/24");
    await limitApiKey(OPERATOR, account, { keyId: key?.id ?? "", allowedNetworks: ["198.51.100.7"] });
    await limit.getByRole("button", { name: "Save" }).click();
    await expect(limit.getByLabel("Allowed from")).toHaveAccessibleDescription(/meanwhile, to 198\.51\.100\.7\. Close/);
    await expectWellMade(page, "key-limit-meanwhile");
    await limit.getByRole("button", { name: "Cancel" }).click();
    await detail.getByRole("button", { name: "Limit" }).click();
    await expect(limit.getByLabel("Allowed from")).toHaveValue("198.51.100.7");
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
