import { expect, type Locator } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { seedDelivery } from "@/e2e/support/delivery-seeds";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { isSigned, row, scopeOf, shownSecret, status, useWebhookOwner, WEBHOOKS } from "@/e2e/support/panel-webhooks";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

const HOSTILE = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;

const own = useWebhookOwner();

/** Where it stands on the page. */
async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error("It is not on the page.");
  return box;
}

test.describe("webhooks", () => {
  test("registers a receiver, shows its secret, and shows both sides of a test event", async ({ page }) => {
    const receiver = await own.newReceiver({
      kind: "ok",
      body: HOSTILE,
      headers: { "x-own": HOSTILE.replace("\u202e", "") },
    });
    await page.goto(WEBHOOKS);
    await page.getByRole("button", { name: "Add webhook" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a webhook" });
    await dialog.getByLabel("Address").fill(`${receiver.url}/hooks?from=panel`);
    await dialog.getByRole("checkbox", { name: /^session.started/ }).check({ force: true });
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    const secret = await shownSecret(page);
    await page.getByRole("button", { name: "Try it out" }).click();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${receiver.url}/hooks?from=panel`);
    await expect(page).toHaveTitle(`${receiver.url}/hooks?from=panel · AI Processing Service`);
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(status(page)).toContainText("delivered");
    const [request] = await receiver.waitForRequests(1);
    expect(isSigned(request, secret)).toBe(true);
    const panel = page.getByRole("dialog", { name: "completion" });
    await expect(panel.getByText("Attempt 1", { exact: true })).toBeVisible();
    await expect(panel.getByText(HOSTILE)).toBeVisible();
    await panel.getByText("Request headers").click();
    await expect(panel).toContainText(String(request?.headers["x-service-signature"]));
    await expect(panel.getByRole("region", { name: "Request body as it is signed" })).toHaveText(
      request?.body.toString() ?? "",
    );
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await page.keyboard.press("Escape");
    await expect(row(page, "completion")).toContainText("test");
  });

  test("names what is wrong with an address at its field, and registers nothing", async ({ page }) => {
    await page.goto(WEBHOOKS);
    await page.getByRole("button", { name: "Add webhook" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a webhook" });
    for (const [url, words] of [
      ["http://example.com/hooks", "Must begin with https://."],
      ["https://10.0.0.1/hooks", "public internet"],
      ["nonsense", "Must begin with https://."],
      ["https://", "absolute HTTPS address"],
    ] as const) {
      await dialog.getByLabel("Address").fill(url);
      await dialog.getByRole("button", { name: "Add webhook" }).click();
      await expect(dialog).toContainText(words);
      await expect(dialog).not.toContainText("Url must");
      await expect(dialog.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
    }
    expect(
      await prisma().webhookRegistration.count({
        where: { ...scopeOf(own.account), url: { contains: "example.com" } },
      }),
    ).toBe(0);
  });

  test("is asked for with the buttons where every question has them: on the right, the one that does it last", async ({
    page,
  }) => {
    await page.goto(WEBHOOKS);
    await page.getByRole("button", { name: "Add webhook" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a webhook" });
    const [frame, cancel, add] = await Promise.all([
      boxOf(dialog),
      boxOf(dialog.getByRole("button", { name: "Cancel" })),
      boxOf(dialog.getByRole("button", { name: "Add webhook" })),
    ]);
    expect(add.x).toBeGreaterThan(cancel.x + cancel.width);
    const [before, after] = [cancel.x - frame.x, frame.x + frame.width - add.x - add.width];
    expect(after).toBeLessThan(before / 4);
    await expectWellMade(page, "webhook-new");
  });

  test("leads from a failed receiver back to one that has everything", async ({ page }) => {
    const receiver = await own.newReceiver({ kind: "fail", status: 503 });
    const other = await panelAccount();
    await page.context().clearCookies();
    await signInContext(page.context(), await other.addPerson("owner"));
    const id = await own.seedWebhook(receiver.url, {}, other);
    await apiClient(suite.url, other.apiKey).post("/chat", { message: "Hello" });
    await page.goto(`${WEBHOOKS}/${id}`);
    // The page goes on by itself: nobody reloads it.
    await expect(page.getByText("Nothing is sent to this receiver")).toBeVisible();
    await expect(page.getByText("1 delivery did not arrive so far; it can be sent again afterwards.")).toBeVisible();
    await page.goto(WEBHOOKS);
    await expect(page.getByText("A receiver failed, and nothing more is sent to it")).toBeVisible();
    await expect(row(page, "localhost")).toContainText("stopped after failures");
    await page.getByRole("link", { name: "Look at it" }).click();

    receiver.behave({ kind: "ok" });
    await page.getByRole("button", { name: "Switch on" }).click();
    await expect(page.getByText("1 delivery did not arrive.")).toBeVisible();
    await page.getByRole("button", { name: "Send all again" }).click();
    await expect(row(page, "completion")).toContainText("delivered");
    await expect(page.getByText("1 delivery did not arrive.")).toHaveCount(0);
    const [first, ...others] = receiver.requests;
    expect(others.at(-1)?.body.equals(first?.body ?? Buffer.of()), "the same bytes").toBe(true);

    await row(page, "completion").getByRole("link").first().click();
    const panel = page.getByRole("dialog", { name: "completion" });
    await expect(panel.getByText("of round 2")).toBeVisible();
    await panel.getByRole("button", { name: "Send again" }).click();
    await expect(panel.getByText("of round 3")).toBeVisible();
    await expect(status(page)).toContainText("delivered");
    await page.goto(WEBHOOKS);
    await expect(page.getByText("A receiver failed")).toHaveCount(0);
  });

  test("shows members everything but secrets, and no way to change anything", async ({ page, context }) => {
    const id = await own.seedWebhook("https://shown.example/hooks", { status: "failed" });
    const { id: deliveryId } = await seedDelivery({
      ...scopeOf(own.account),
      url: "https://shown.example/hooks",
      registrationId: id,
      status: "failed",
    });
    await signInContext(context, await own.account.addPerson("member"));
    await page.goto(WEBHOOKS);
    await expect(row(page, "shown.example")).toBeVisible();
    await page.goto(`${WEBHOOKS}/${id}?delivery=${deliveryId}`);
    await expect(status(page)).toContainText("failed");
    await page.goto(`${WEBHOOKS}/${id}?tab=settings`);
    await expect(page.getByRole("definition").filter({ hasText: "https://shown.example/hooks" })).toBeVisible();
    await page.goto(`${WEBHOOKS}?tab=callbacks`);
    await expect(page.getByRole("heading", { name: "Callbacks", level: 2 })).toBeVisible();
    for (const path of [
      WEBHOOKS,
      `${WEBHOOKS}/${id}?delivery=${deliveryId}`,
      `${WEBHOOKS}/${id}?tab=settings`,
      `${WEBHOOKS}?tab=callbacks`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(
        page.locator("main").getByRole("button", { name: /Add|Send|Switch|Save|Show|Rotate|Delete/ }),
      ).toHaveCount(0);
    }
    expect((await page.request.get(`${WEBHOOKS}/deliveries.csv`)).status(), "exporting is for admins").toBe(404);
  });

  test("shows nothing of another company", async ({ page, faults }) => {
    const theirs = await panelAccount();
    const id = await own.seedWebhook("https://theirs.example/hooks", {}, theirs);
    const delivery = await seedDelivery({
      ...scopeOf(theirs),
      url: "https://theirs.example/hooks",
      registrationId: id,
    });
    await page.goto(`${WEBHOOKS}/${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
    await page.goto(`${WEBHOOKS}/deliveries/${delivery.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Webhooks");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText("theirs.example")).toHaveCount(0);
    const csv = await page.request.get(`${WEBHOOKS}/deliveries.csv?webhook=${id}`);
    expect([csv.status(), (await csv.text()).trim().split("\r\n").length], "the heads of the columns alone").toEqual([
      200, 1,
    ]);
    // The browser says so of a page that answers 404.
    faults.errors = faults.errors.filter((text) => !text.includes("status of 404"));
  });

  test("is well made: empty, as a list, with a failure, its settings and deliveries", async ({ page, context }) => {
    const other = await panelAccount();
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(WEBHOOKS);
    await expect(page.getByText("No webhooks yet")).toBeVisible();
    await expectWellMade(page, "webhooks-empty");

    const receiver = await own.newReceiver({ kind: "fail", status: 500 });
    const long = await own.seedWebhook(
      `https://hooks.a-company-with-a-long-name.example/${"path/".repeat(40)}`,
      {},
      other,
    );
    const id = await own.seedWebhook(receiver.url, { status: "failed" }, other);
    const url = receiver.url;
    await prisma().alert.create({
      data: {
        id: `alr_${id}`,
        ...scopeOf(other),
        kind: "webhook.failed",
        subjectId: id,
        message: `Five attempts to deliver to ${new URL(url).host} failed.`,
      },
    });
    for (const state of ["delivered", "failed", "held", "delivered"]) {
      await seedDelivery({ ...scopeOf(other), url, registrationId: id, status: state });
      await seedDelivery({ ...scopeOf(other), url, registrationId: long, status: "delivered" });
    }
    await page.goto(WEBHOOKS);
    await expectWellMade(page, "webhooks");
    await page.goto(`${WEBHOOKS}/${id}`);
    await expectWellMade(page, "webhook");
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(status(page)).toContainText("failed");
    await expectWellMade(page, "webhook-delivery");
    await page.goto(`${WEBHOOKS}/${id}?tab=settings`);
    await expectWellMade(page, "webhook-settings");
    await page.goto(`${WEBHOOKS}?tab=callbacks`);
    await expectWellMade(page, "webhook-callbacks");
    await page.goto(`${WEBHOOKS}?tab=deliveries`);
    await expect(row(page, "completion").first()).toBeVisible();
    await expectWellMade(page, "webhook-deliveries");
  });

  test("works by keyboard alone", async ({ page }) => {
    await page.goto(WEBHOOKS);
    const open = page.getByRole("button", { name: "Add webhook" }).first();
    await open.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog").getByLabel("Address")).toBeFocused();
    await page.keyboard.type("https://keyboard.example/hooks");
    await page.keyboard.press("Enter");
    await shownSecret(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await row(page, "keyboard.example").getByRole("link").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("https://keyboard.example/hooks");
  });
});
