import { readFile } from "node:fs/promises";
import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { seedDelivery } from "@/e2e/support/delivery-seeds";
import { refreshBySight } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { scopeOf, useWebhookOwner, WEBHOOKS } from "@/e2e/support/panel-webhooks";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

const own = useWebhookOwner();

test.describe("deliveries", () => {
  test("finds a delivery by its end user and its day, and leads from it to its call and its session", async ({
    page,
  }) => {
    const { accountId, projectId } = own.account;
    const [sessionId, turnId, requestId] = [newId("session"), newId("turn"), newId("request")];
    await prisma().session.create({ data: { id: sessionId, accountId, projectId, kind: "chat", status: "completed" } });
    await prisma().turn.create({
      data: {
        ...{ id: turnId, sessionId, accountId, projectId, requestId, position: 0, status: "completed", input: "x" },
        ...{ endpoint: "POST /chat", openStatus: "started" },
      },
    });
    const url = "https://late.example/hooks";
    const place = { ...scopeOf(own.account), url, registrationId: await own.seedWebhook(url), status: "failed" };
    const [wanted, later] = [await seedDelivery(place), await seedDelivery(place)];
    for (const [{ id }, day] of [
      [wanted, "03"],
      [later, "04"],
    ] as const) {
      const createdAt = new Date(`2026-03-${day}T14:30:00Z`);
      const data = { endUserId: "customer-4711", createdAt, sessionId, turnId };
      await prisma().webhookDelivery.update({ where: { id }, data });
    }
    await page.goto(`${WEBHOOKS}?tab=deliveries`);
    await page.getByRole("button", { name: "End user" }).click();
    await page.getByRole("textbox", { name: "End user" }).fill("customer-4711");
    await page.getByRole("button", { name: "Apply" }).click();
    const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
    await expect(rows).toHaveCount(2);
    await page.goto(`${page.url()}&from=2026-03-03&to=2026-03-03`);
    await expect(rows).toHaveCount(1);
    const csv = await page.getByRole("link", { name: "CSV", exact: true }).getAttribute("href");
    const lines = (await (await page.request.get(csv ?? "")).text()).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(wanted.deliveryUuid);
    await rows.getByRole("link").first().click();
    const detail = page.getByRole("dialog");
    await expect(detail.locator(`a[href="/panel/api-b2b/logs?call=${requestId}"]`)).toBeVisible();
    await expect(detail.getByRole("link", { name: "customer-4711" })).toHaveAttribute(
      "href",
      "/panel/end-users/customer-4711",
    );
    await expectWellMade(page, "delivery-found");
    await page.goto(`/panel/sessions/${sessionId}`);
    await page.getByRole("link", { name: "deliveries", exact: true }).click();
    await expect(rows).toHaveCount(2);
  });

  test("filters deliveries in the address and goes through them part by part", async ({ page }) => {
    const other = await panelAccount();
    await page.context().clearCookies();
    await signInContext(page.context(), await other.addPerson("owner"));
    const id = await own.seedWebhook("https://many.example/hooks", {}, other);
    const seed = (state: string) =>
      seedDelivery({ ...scopeOf(other), url: "https://many.example/hooks", registrationId: id, status: state });
    const oldest = await seed("failed");
    for (let count = 0; count < 51; count += 1) await seed("delivered");
    await page.goto(`${WEBHOOKS}/${id}`);
    const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
    await expect(rows).toHaveCount(50);
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await expect(rows).toHaveCount(2);
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(rows).toHaveCount(50);
    await page.goto(`${WEBHOOKS}/${id}?status=failed`);
    await expect(rows).toHaveCount(1);
    const csv = page.getByRole("link", { name: "CSV", exact: true });
    const [download] = await Promise.all([page.waitForEvent("download"), csv.click()]);
    expect(download.suggestedFilename()).toBe("deliveries.csv");
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(oldest.deliveryUuid);
    await rows.getByRole("link").first().click();
    await expect(page).toHaveURL(new RegExp(`status=failed&delivery=${oldest.id}`));
    await expect(page.getByRole("dialog")).toContainText(oldest.deliveryUuid);
    await page.goto(`${WEBHOOKS}/${id}?status=bent`);
    await expect(page.getByText("This filter cannot be read")).toBeVisible();
    await page.goto(`${WEBHOOKS}/${id}?cursor=bent`);
    await expect(rows).toHaveCount(50);
    await page.goto(`${WEBHOOKS}/deliveries/${oldest.id}`);
    await expect(page.getByRole("dialog")).toContainText(oldest.deliveryUuid);
  });

  test("keeps deliveries in their places while others are made, and shows the one that its reader asked for", async ({
    page,
  }) => {
    const url = "https://steady.example/hooks";
    const registrationId = await own.seedWebhook(url);
    const seed = () => seedDelivery({ ...scopeOf(own.account), url, registrationId, status: "delivered" });
    const first = await seed();
    const path = `${WEBHOOKS}/${registrationId}`;
    await page.goto(path);
    const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
    const place = await rows.first().boundingBox();
    const second = await seed();
    await refreshBySight(page);
    const show = page.getByRole("button", { name: "Show 1 new delivery", exact: true });
    await expect(show).toBeVisible();
    expect(await rows.first().boundingBox()).toEqual(place);
    await expectWellMade(page, "deliveries-new-ones");
    await rows.first().getByRole("link").click();
    await expect(page.getByRole("dialog")).toContainText(first.deliveryUuid);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await rows.first().boundingBox()).toEqual(place);
    await show.press("Enter");
    await expect(rows).toHaveCount(2);
    await expect(rows.first().getByRole("link")).toHaveAttribute("href", `${path}?delivery=${second.id}`);
    // A test event of one's own is opened, and stands in the list at once.
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page).toHaveURL(/delivery=/);
    await expect(rows).toHaveCount(3);
  });

  test("names the receiver of each delivery on a phone too, where several are listed", async ({ page }) => {
    const url = "https://on-a-phone.example/hooks";
    await seedDelivery({ ...scopeOf(own.account), url, registrationId: await own.seedWebhook(url) });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${WEBHOOKS}?tab=deliveries`);
    await expect(page.getByText("on-a-phone.example").first()).toBeVisible();
  });
});
