import { expect } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { ageSignIn, signInContext } from "@/e2e/support/panel-browser";
import { isSigned, row, shownSecret, useWebhookOwner, WEBHOOKS } from "@/e2e/support/panel-webhooks";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

const own = useWebhookOwner();

test.describe("settings of webhooks", () => {
  test("shows the secret to whoever confirms their password, and rotates it with both signing", async ({ page }) => {
    const receiver = await own.newReceiver();
    const id = await own.seedWebhook(receiver.url);
    const admin = await own.account.addPerson("admin");
    await page.context().clearCookies();
    await signInContext(page.context(), admin);
    await ageSignIn(admin);
    await page.goto(`${WEBHOOKS}/${id}?tab=settings`);
    await page.getByRole("button", { name: "Show secret" }).click();
    const prompt = page.getByRole("dialog", { name: "Confirm that it is you" });
    await prompt.getByLabel("Password").fill(admin.password);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    const old = await shownSecret(page);
    const looks = { subject: id, action: "webhook.show-secret", actorId: admin.userId };
    await expect.poll(() => prisma().auditEntry.count({ where: looks })).toBe(1);

    await page.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Make a new secret" }).click();
    await expect(page.getByText("The secret before it signs too until")).toBeVisible();
    const made = await shownSecret(page);
    expect(made).not.toBe(old);
    await page.getByRole("button", { name: "Send test event" }).click();
    const [request] = await receiver.waitForRequests(1);
    expect(isSigned(request, made)).toBe(true);
    expect(String(request?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  });

  test("saves nothing over what another tab saved meanwhile, before its reader has seen that", async ({
    page,
    context,
  }) => {
    const id = await own.seedWebhook("https://old.example/hooks");
    const other = await context.newPage();
    await Promise.all([page, other].map((tab) => tab.goto(`${WEBHOOKS}/${id}?tab=settings`)));
    await other.getByLabel("Address").fill("https://moved.example/hooks");
    await other.getByRole("button", { name: "Save" }).click();
    await expectToast(other, "Webhook saved");
    await page.getByRole("checkbox", { name: /^error/ }).check({ force: true });
    await page.getByRole("button", { name: "Save" }).click();
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this webhook meanwhile" });
    await expect(question).toContainText("https://moved.example/hooks");
    const registration = () => prisma().webhookRegistration.findUniqueOrThrow({ where: { id } });
    expect(await registration()).toMatchObject({ url: "https://moved.example/hooks", events: ["completion"] });
    await question.getByRole("button", { name: "Take theirs" }).click();
    await expect(page.getByLabel("Address")).toHaveValue("https://moved.example/hooks");
    await page.getByRole("checkbox", { name: /^error/ }).check({ force: true });
    await page.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Webhook saved");
    expect(await registration()).toMatchObject({
      url: "https://moved.example/hooks",
      events: ["completion", "error"],
    });
  });

  test("changes events, switches off and on, and deletes by name", async ({ page }) => {
    const id = await own.seedWebhook("https://changing.example/hooks");
    const registration = () => prisma().webhookRegistration.findUnique({ where: { id } });
    await page.goto(`${WEBHOOKS}/${id}?tab=settings`);
    await page.getByRole("checkbox", { name: /^error/ }).check({ force: true });
    await page.getByLabel("Address").fill("https://changed.example/hooks");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("https://changed.example/hooks");
    expect(await registration()).toMatchObject({ events: ["completion", "error"] });

    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Switch off" }).click();
    await expect(page.getByText("Nothing is sent to this receiver")).toBeVisible();
    // The button that asked is gone: the keyboard goes on where it was.
    await expect(page.getByRole("region", { name: "Switch off or delete" })).toBeFocused();
    expect(await registration()).toMatchObject({ active: false, status: "inactive" });
    await page.getByRole("button", { name: "Switch on" }).first().click();
    await expect(page.getByText("Nothing is sent to this receiver")).toHaveCount(0);

    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete this webhook?" });
    await expect(question.getByRole("button", { name: "Delete webhook" })).toBeDisabled();
    await question.getByRole("textbox").fill("changed.example");
    await question.getByRole("button", { name: "Delete webhook" }).click();
    await expect(page).toHaveURL(WEBHOOKS);
    // All of its page is gone: the keyboard goes on in the next one.
    await expect(page.getByRole("main")).toBeFocused();
    await expect(row(page, "changed.example")).toHaveCount(0);
    expect(await registration()).toBeNull();
  });

  test("lists what went to the callbackUrl of calls, and keeps their secret", async ({ page }) => {
    const receiver = await own.newReceiver();
    await apiClient(suite.url, own.account.apiKey).post("/chat", { message: "Hi", callbackUrl: `${receiver.url}/own` });
    const [request] = await receiver.waitForRequests(1);
    await page.goto(`${WEBHOOKS}?tab=callbacks`);
    await expect(row(page, "completion")).toContainText("delivered");
    await page.getByRole("button", { name: "Show secret" }).click();
    expect(isSigned(request, await shownSecret(page))).toBe(true);
  });
});
