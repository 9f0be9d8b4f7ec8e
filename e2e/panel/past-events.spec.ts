import { expect } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { isSigned, row, scopeOf, status, useWebhookOwner, WEBHOOKS } from "@/e2e/support/panel-webhooks";
import { suite } from "@/e2e/support/suite";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";

const own = useWebhookOwner();

test.describe("past events", () => {
  test("go to a webhook that was added later, each once, signed with its own secret", async ({ page }) => {
    const other = await panelAccount();
    await page.context().clearCookies();
    await signInContext(page.context(), await other.addPerson("owner"));
    const [old, added] = [await own.newReceiver(), await own.newReceiver()];
    await own.seedWebhook(old.url, {}, other);
    const api = apiClient(suite.url, other.apiKey);
    for (const message of ["Hello", "Hello again"]) await api.post("/chat", { message });
    await old.waitForRequests(2);
    const secret = newWebhookSecret();
    const id = await seedRegistration({ ...scopeOf(other), url: added.url, secret });

    await page.goto(`${WEBHOOKS}/${id}`);
    await page.getByRole("link", { name: "Past events" }).click();
    await expect(page.getByText("2 past events not sent here")).toBeVisible();
    await expectWellMade(page, "past-events");
    await page.getByRole("button", { name: "Send them here" }).click();
    const question = page.getByRole("alertdialog", { name: "Send 2 past events here?" });
    await expect(question).toBeVisible();
    await expectWellMade(page, "past-events-question");
    await question.getByRole("button", { name: "Send", exact: true }).dblclick();
    await expect(row(page, "completion").filter({ hasText: "delivered" })).toHaveCount(2);
    const requests = await added.waitForRequests(2);
    for (const request of requests) expect(isSigned(request, secret)).toBe(true);
    const bodies = (of: { requests: { body: Buffer }[] }) => of.requests.map(({ body }) => body.toString()).sort();
    expect(bodies(added), "the same bytes, and each once").toEqual(bodies(old));
    await page.getByRole("link", { name: "Past events" }).click();
    await expect(page.getByText("Nothing is missing here")).toBeVisible();
    await expectWellMade(page, "past-events-none");
    await page.goto(`${WEBHOOKS}/${id}?tab=past&from=2026-01-01&to=2026-01-02`);
    await expect(page.getByText("Nothing of that time is missing here")).toBeVisible();
    await page.goto(`${WEBHOOKS}/${id}?tab=past&from=bent`);
    await expect(page.getByText("This filter cannot be read")).toBeVisible();
  });

  test("go one by one, too: from a delivery to another webhook, where it is opened", async ({ page }) => {
    const receiver = await own.newReceiver();
    const url = "https://replaced.example/hooks";
    const registrationId = await own.seedWebhook(url);
    const { id, body } = await seedDelivery({ ...scopeOf(own.account), url, registrationId, status: "delivered" });
    const path = `${WEBHOOKS}/${registrationId}?delivery=${id}`;
    await page.goto(path);
    await expect(status(page)).toContainText("delivered");
    await expect(page.getByRole("button", { name: "Send to another webhook" }), "there is none").toHaveCount(0);
    const added = await own.seedWebhook(`${receiver.url}/hooks`);
    await own.seedWebhook(`https://hooks.a-company-with-a-long-name.example/${"path/".repeat(40)}`);
    await page.goto(path);
    await expect(page.getByRole("button", { name: "Send to another webhook" })).toBeVisible();
    await expectWellMade(page, "delivery-for-others");
    await page.getByRole("button", { name: "Send to another webhook" }).click();
    const question = page.getByRole("alertdialog", { name: "Send this event to another webhook?" });
    await expect(question).toBeVisible();
    await expectWellMade(page, "delivery-elsewhere");
    await question.getByRole("button", { name: "Send", exact: true }).click();
    await expect(question, "nothing was chosen").toBeVisible();
    await question.getByRole("button", { name: /Webhook/ }).click();
    await page.getByRole("option", { name: receiver.url }).click();
    await question.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${added}\\?delivery=dlv_`));
    await expect(status(page)).toContainText("delivered");
    const [request] = await receiver.waitForRequests(1);
    expect(request?.body.toString()).toBe(body);
    await expect(page.getByRole("dialog")).toContainText(String(request?.headers["x-service-delivery"]));
  });

  test("are shown to members, who send none", async ({ page, context }) => {
    const url = "https://for-members.example/hooks";
    await seedDelivery({ ...scopeOf(own.account), url, status: "delivered" });
    const id = await own.seedWebhook(url);
    await signInContext(context, await own.account.addPerson("member"));
    await page.goto(`${WEBHOOKS}/${id}?tab=past`);
    await expect(page.getByText(/past events? not sent here/)).toBeVisible();
    await expect(page.getByRole("button", { name: /Send/ })).toHaveCount(0);
  });
});
