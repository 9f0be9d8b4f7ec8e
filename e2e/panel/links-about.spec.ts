import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectWellMade } from "@/e2e/support/page-look";
import { type PanelAccount, panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createWebhook } from "@/lib/services/webhooks/create-webhook";

/** The reader works for two companies: the panel shows the first, and mails are about both. */
let shown: PanelAccount;
let other: PanelAccount;

const WEBHOOK = { url: "https://receiver.example/hook", events: ["completion" as const], active: true };

test.beforeAll(async () => {
  [shown, other] = await Promise.all([panelAccount(), panelAccount()]);
  const company = { shown: { companyName: "Quiet Harbour Ltd" }, other: { companyName: "Blue Freight Ltd" } };
  await prisma().account.update({ where: { id: shown.accountId }, data: company.shown });
  await prisma().account.update({ where: { id: other.accountId }, data: company.other });
});

test.beforeEach(async ({ context }) => {
  const person = await shown.addPerson("owner");
  const createdAt = new Date(Date.now() + 1_000);
  await prisma().member.create({
    data: { accountId: other.accountId, userId: person.userId, role: "owner", createdAt },
  });
  await signInContext(context, person);
});

test("an id of another of the reader's projects is found, and opened there", async ({ page }) => {
  const { accountId, projectId } = other;
  const id = newId("session");
  await prisma().session.create({ data: { id, accountId, projectId, kind: "chat", status: "completed" } });
  await page.goto(`/panel/search?q=${id}`);
  await expect(page.getByText("It is in another project")).toBeVisible();
  await expect(page.getByText(`“${id}” belongs to`)).toContainText("of Blue Freight Ltd");
  await expectWellMade(page, "found-elsewhere");
  await page.getByRole("button", { name: /^Open in/ }).click();
  await expect(page).toHaveURL(`/panel/sessions/${id}`);
  await expect(page.getByRole("button", { name: /^Project/ })).toContainText("Blue Freight Ltd");
});

test.describe("a link about another of the reader's companies", () => {
  test("says so, and leads to the page there with what else stands in it", async ({ page }) => {
    await page.goto(`/panel/alerts?of=${other.accountId}&show=past`);
    const notice = page.getByRole("complementary", { name: "About another project" });
    await expect(notice).toContainText("The link is about Blue Freight Ltd. The panel shows Quiet Harbour Ltd.");
    await expectWellMade(page, "link-about-another");
    await notice.getByRole("button", { name: "Open in Blue Freight Ltd" }).click();
    await expect(page).toHaveURL("/panel/alerts?show=past");
    await expect(notice).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Project/ })).toContainText("Blue Freight Ltd");
  });

  test("asks before what is typed is lost, and stays in the project of who stays", async ({ page }) => {
    await page.goto(`/panel/settings/project?of=${other.projectId}`);
    const name = page.getByRole("main").getByRole("textbox", { name: /^Name/ });
    await name.fill("Half a name");
    const lead = page.getByRole("button", { name: "Open in Blue Freight Ltd" });
    await lead.click();
    await page.getByRole("button", { name: "Stay" }).click();
    await expect(name).toHaveValue("Half a name");
    await expect(page.getByRole("button", { name: /^Project/ })).toContainText("Quiet Harbour Ltd");
    await lead.click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL("/panel/settings/project");
    await expect(page.getByRole("button", { name: /^Project/ })).toContainText("Blue Freight Ltd");
  });

  test("leads to what is not found in the project that is shown", async ({ page, faults }) => {
    const { id } = await createWebhook(other, WEBHOOK);
    await page.goto(`/panel/api-b2b/webhooks/${id}?of=${other.projectId}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
    await page.getByRole("button", { name: "Open in Blue Freight Ltd" }).click();
    await expect(page).toHaveURL(`/panel/api-b2b/webhooks/${id}`);
    await expect(page.getByText(WEBHOOK.url).first()).toBeVisible();
    // The browser itself reports the status of a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
  });

  test("names the project where it is another one of the same company", async ({ page }) => {
    const id = newId("project");
    await prisma().project.create({
      data: { id, accountId: shown.accountId, name: "Invoices", callbackSecretEncrypted: "x" },
    });
    await page.goto(`/panel/api-b2b/api-keys?of=${id}`);
    await expect(page.getByText("The link is about Invoices. The panel shows Default.")).toBeVisible();
  });

  test("says nothing where it is shown already, and of what the reader has no part in", async ({ page }) => {
    const stranger = await panelAccount();
    for (const id of [shown.accountId, shown.projectId, stranger.accountId, stranger.projectId, "x"]) {
      await page.goto(`/panel/alerts?of=${id}`);
      await expect(page.getByRole("heading", { level: 1, name: "Alerts" })).toBeVisible();
      await expect(page.getByRole("complementary", { name: "About another project" })).toHaveCount(0);
    }
  });
});
