import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "playwright/test";
import { startReceiver } from "@/e2e/api/support/webhook-receiver";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import type { HttpsReceiver, ReceivedRequest } from "@/e2e/support/https-receiver";
import { expectToast, refreshBySight } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  ageSignIn,
  type PanelAccount,
  panelAccount,
  signInContext,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";

const PATH = "/panel/api-b2b/webhooks";
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const HOSTILE = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;

let account: PanelAccount;
let owner: TestPerson;
const receivers: HttpsReceiver[] = [];

test.beforeAll(async () => {
  account = await panelAccount();
  owner = await account.addPerson("owner");
});

test.beforeEach(({ context }) => signInContext(context, owner));

test.afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function newReceiver(...args: Parameters<typeof startReceiver>): Promise<HttpsReceiver> {
  const receiver = await startReceiver(...args);
  receivers.push(receiver);
  return receiver;
}

const seedWebhook = (url: string, more: { status?: string; active?: boolean } = {}, of = account) =>
  seedRegistration({ ...scopeOf(of), url, secret: newWebhookSecret(), ...more });

const scopeOf = ({ accountId, projectId }: PanelAccount) => ({ accountId, projectId });
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const status = (page: Page) => page.getByRole("dialog").getByRole("definition").first();

async function shownSecret(page: Page): Promise<string> {
  const code = page.locator("code", { hasText: "whsec_" }).first();
  await expect(code).toHaveText(SECRET);
  return (await code.textContent()) ?? "";
}

function isSigned(request: ReceivedRequest | undefined, secret: string): boolean {
  const expected = createHmac("sha256", secret)
    .update(request?.body ?? "")
    .digest("hex");
  return request?.headers["x-service-signature"] === expected;
}

/** Where it stands on the page. */
async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error("It is not on the page.");
  return box;
}

test.describe("webhooks", () => {
  test("registers a receiver, shows its secret, and shows both sides of a test event", async ({ page }) => {
    const receiver = await newReceiver({
      kind: "ok",
      body: HOSTILE,
      headers: { "x-own": HOSTILE.replace("\u202e", "") },
    });
    await page.goto(PATH);
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
    await page.goto(PATH);
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
      await prisma().webhookRegistration.count({ where: { ...scopeOf(account), url: { contains: "example.com" } } }),
    ).toBe(0);
  });

  test("is asked for with the buttons where every question has them: on the right, the one that does it last", async ({
    page,
  }) => {
    await page.goto(PATH);
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
    const receiver = await newReceiver({ kind: "fail", status: 503 });
    const other = await panelAccount();
    await page.context().clearCookies();
    await signInContext(page.context(), await other.addPerson("owner"));
    const id = await seedWebhook(receiver.url, {}, other);
    await apiClient(suite.url, other.apiKey).post("/chat", { message: "Hello" });
    await page.goto(`${PATH}/${id}`);
    // The page goes on by itself: nobody reloads it.
    await expect(page.getByText("Nothing is sent to this receiver")).toBeVisible();
    await expect(page.getByText("1 delivery did not arrive so far; it can be sent again afterwards.")).toBeVisible();
    await page.goto(PATH);
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
    await page.goto(PATH);
    await expect(page.getByText("A receiver failed")).toHaveCount(0);
  });

  test("shows the secret to whoever confirms their password, and rotates it with both signing", async ({ page }) => {
    const receiver = await newReceiver();
    const id = await seedWebhook(receiver.url);
    const admin = await account.addPerson("admin");
    await page.context().clearCookies();
    await signInContext(page.context(), admin);
    await ageSignIn(admin);
    await page.goto(`${PATH}/${id}?tab=settings`);
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
    const id = await seedWebhook("https://old.example/hooks");
    const other = await context.newPage();
    await Promise.all([page, other].map((tab) => tab.goto(`${PATH}/${id}?tab=settings`)));
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
    const id = await seedWebhook("https://changing.example/hooks");
    const registration = () => prisma().webhookRegistration.findUnique({ where: { id } });
    await page.goto(`${PATH}/${id}?tab=settings`);
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
    await expect(page).toHaveURL(PATH);
    // All of its page is gone: the keyboard goes on in the next one.
    await expect(page.getByRole("main")).toBeFocused();
    await expect(row(page, "changed.example")).toHaveCount(0);
    expect(await registration()).toBeNull();
  });

  test("finds a delivery by its end user and its day, and leads from it to its call and its session", async ({
    page,
  }) => {
    const { accountId, projectId } = account;
    const [sessionId, turnId, requestId] = [newId("session"), newId("turn"), newId("request")];
    await prisma().session.create({ data: { id: sessionId, accountId, projectId, kind: "chat", status: "completed" } });
    await prisma().turn.create({
      data: {
        ...{ id: turnId, sessionId, accountId, projectId, requestId, position: 0, status: "completed", input: "x" },
        ...{ endpoint: "POST /chat", openStatus: "started" },
      },
    });
    const url = "https://late.example/hooks";
    const place = { ...scopeOf(account), url, registrationId: await seedWebhook(url), status: "failed" };
    const [wanted, later] = [await seedDelivery(place), await seedDelivery(place)];
    for (const [{ id }, day] of [
      [wanted, "03"],
      [later, "04"],
    ] as const) {
      const createdAt = new Date(`2026-03-${day}T14:30:00Z`);
      const data = { endUserId: "customer-4711", createdAt, sessionId, turnId };
      await prisma().webhookDelivery.update({ where: { id }, data });
    }
    await page.goto(`${PATH}?tab=deliveries`);
    await page.getByRole("button", { name: "End user" }).click();
    await page.getByRole("textbox", { name: "End user" }).fill("customer-4711");
    await page.getByRole("button", { name: "Apply" }).click();
    const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
    await expect(rows).toHaveCount(2);
    await page.goto(`${page.url()}&from=2026-03-03&to=2026-03-03`);
    await expect(rows).toHaveCount(1);
    const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
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
    const id = await seedWebhook("https://many.example/hooks", {}, other);
    const seed = (state: string) =>
      seedDelivery({ ...scopeOf(other), url: "https://many.example/hooks", registrationId: id, status: state });
    const oldest = await seed("failed");
    for (let count = 0; count < 51; count += 1) await seed("delivered");
    await page.goto(`${PATH}/${id}`);
    const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
    await expect(rows).toHaveCount(50);
    await page.getByRole("link", { name: "Next" }).click();
    await expect(rows).toHaveCount(2);
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(rows).toHaveCount(50);
    await page.goto(`${PATH}/${id}?status=failed`);
    await expect(rows).toHaveCount(1);
    const csv = page.getByRole("link", { name: "CSV" });
    const [download] = await Promise.all([page.waitForEvent("download"), csv.click()]);
    expect(download.suggestedFilename()).toBe("deliveries.csv");
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(oldest.deliveryUuid);
    await rows.getByRole("link").first().click();
    await expect(page).toHaveURL(new RegExp(`status=failed&delivery=${oldest.id}`));
    await expect(page.getByRole("dialog")).toContainText(oldest.deliveryUuid);
    await page.goto(`${PATH}/${id}?status=bent`);
    await expect(page.getByText("This filter cannot be read")).toBeVisible();
    await page.goto(`${PATH}/${id}?cursor=bent`);
    await expect(rows).toHaveCount(50);
    await page.goto(`${PATH}/deliveries/${oldest.id}`);
    await expect(page.getByRole("dialog")).toContainText(oldest.deliveryUuid);
  });

  test("keeps deliveries in their places while others are made, and shows the one that its reader asked for", async ({
    page,
  }) => {
    const url = "https://steady.example/hooks";
    const registrationId = await seedWebhook(url);
    const seed = () => seedDelivery({ ...scopeOf(account), url, registrationId, status: "delivered" });
    const first = await seed();
    const path = `${PATH}/${registrationId}`;
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
    await seedDelivery({ ...scopeOf(account), url, registrationId: await seedWebhook(url) });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${PATH}?tab=deliveries`);
    await expect(page.getByText("on-a-phone.example").first()).toBeVisible();
  });

  test("lists what went to the callbackUrl of calls, and keeps their secret", async ({ page }) => {
    const receiver = await newReceiver();
    await apiClient(suite.url, account.apiKey).post("/chat", { message: "Hi", callbackUrl: `${receiver.url}/own` });
    const [request] = await receiver.waitForRequests(1);
    await page.goto(`${PATH}?tab=callbacks`);
    await expect(row(page, "completion")).toContainText("delivered");
    await page.getByRole("button", { name: "Show secret" }).click();
    expect(isSigned(request, await shownSecret(page))).toBe(true);
  });

  test("shows members everything but secrets, and no way to change anything", async ({ page, context }) => {
    const id = await seedWebhook("https://shown.example/hooks", { status: "failed" });
    const { id: deliveryId } = await seedDelivery({
      ...scopeOf(account),
      url: "https://shown.example/hooks",
      registrationId: id,
      status: "failed",
    });
    await signInContext(context, await account.addPerson("member"));
    await page.goto(PATH);
    await expect(row(page, "shown.example")).toBeVisible();
    await page.goto(`${PATH}/${id}?delivery=${deliveryId}`);
    await expect(status(page)).toContainText("failed");
    await page.goto(`${PATH}/${id}?tab=settings`);
    await expect(page.getByRole("definition").filter({ hasText: "https://shown.example/hooks" })).toBeVisible();
    await page.goto(`${PATH}?tab=callbacks`);
    await expect(page.getByRole("heading", { name: "Callbacks", level: 2 })).toBeVisible();
    for (const path of [
      PATH,
      `${PATH}/${id}?delivery=${deliveryId}`,
      `${PATH}/${id}?tab=settings`,
      `${PATH}?tab=callbacks`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(
        page.locator("main").getByRole("button", { name: /Add|Send|Switch|Save|Show|Rotate|Delete/ }),
      ).toHaveCount(0);
    }
    expect((await page.request.get(`${PATH}/deliveries.csv`)).status(), "exporting is for admins").toBe(404);
  });

  test("shows nothing of another company", async ({ page, faults }) => {
    const theirs = await panelAccount();
    const id = await seedWebhook("https://theirs.example/hooks", {}, theirs);
    const delivery = await seedDelivery({
      ...scopeOf(theirs),
      url: "https://theirs.example/hooks",
      registrationId: id,
    });
    await page.goto(`${PATH}/${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
    await page.goto(`${PATH}/deliveries/${delivery.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Webhooks");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText("theirs.example")).toHaveCount(0);
    const csv = await page.request.get(`${PATH}/deliveries.csv?webhook=${id}`);
    expect([csv.status(), (await csv.text()).trim().split("\r\n").length], "the heads of the columns alone").toEqual([
      200, 1,
    ]);
    // The browser says so of a page that answers 404.
    faults.errors = faults.errors.filter((text) => !text.includes("status of 404"));
  });

  test("is well made: empty, as a list, with a failure, its settings and deliveries", async ({ page, context }) => {
    const other = await panelAccount();
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(PATH);
    await expect(page.getByText("No webhooks yet")).toBeVisible();
    await expectWellMade(page, "webhooks-empty");

    const receiver = await newReceiver({ kind: "fail", status: 500 });
    const long = await seedWebhook(`https://hooks.a-company-with-a-long-name.example/${"path/".repeat(40)}`, {}, other);
    const id = await seedWebhook(receiver.url, { status: "failed" }, other);
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
    await page.goto(PATH);
    await expectWellMade(page, "webhooks");
    await page.goto(`${PATH}/${id}`);
    await expectWellMade(page, "webhook");
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(status(page)).toContainText("failed");
    await expectWellMade(page, "webhook-delivery");
    await page.goto(`${PATH}/${id}?tab=settings`);
    await expectWellMade(page, "webhook-settings");
    await page.goto(`${PATH}?tab=callbacks`);
    await expectWellMade(page, "webhook-callbacks");
    await page.goto(`${PATH}?tab=deliveries`);
    await expect(row(page, "completion").first()).toBeVisible();
    await expectWellMade(page, "webhook-deliveries");
  });

  test("works by keyboard alone", async ({ page }) => {
    await page.goto(PATH);
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
