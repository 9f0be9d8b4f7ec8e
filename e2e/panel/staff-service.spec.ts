import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  cookieOf,
  type PanelAccount,
  panelAccount,
  signInContext,
  staffPerson,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { pasteText } from "@/e2e/support/paste-text";
import { seedSecretSession } from "@/e2e/support/staff-session-seeds";
import { suite } from "@/e2e/support/suite";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { setPlan } from "@/lib/services/accounts/set-plan";

const PAGES = ["verifications", "accounts", "search", "logs", "deliveries", "system", "audit-log"].map(
  (name) => `/staff/${name}`,
);

let one: PanelAccount;
let two: PanelAccount;
let staff: TestPerson;

test.beforeAll(async () => {
  [one, two, staff] = await Promise.all([panelAccount(), panelAccount(), staffPerson()]);
  await name(one, "Grey Heron Rail");
  await name(two, "Red Fox Press");
});

test.beforeEach(({ context }) => signInContext(context, staff));

const name = ({ accountId }: PanelAccount, companyName: string) =>
  prisma().account.update({ where: { id: accountId }, data: { companyName } });
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

/** Makes a call and gives its request id once it is in the log. */
async function loggedCall({ apiKey }: PanelAccount, path: string): Promise<string> {
  const requestId = (await apiClient(suite.url, apiKey).get(path)).headers.get("x-request-id") ?? "";
  await expect.poll(() => prisma().callLog.count({ where: { requestId } })).toBe(1);
  return requestId;
}

/** A delivery that failed for good, with what was sent and what came back. */
async function failedDelivery({ accountId, projectId }: PanelAccount): Promise<string> {
  const url = "https://127.0.0.1:1/hook?token=url-secret";
  const { id } = await seedDelivery({ accountId, projectId, url, status: "failed" });
  await db().query(
    `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, request_headers, response_headers,
                                   response_status, response_body)
     VALUES ($1, 1, now(), 84, '{"x-service-signature":"header-secret"}', '{"set-cookie":"header-secret"}', 503, 'body-secret')`,
    [id],
  );
  return id;
}

test("staff find what a customer's id names, and companies by name, in one box", async ({ page }) => {
  const requestId = await loggedCall(two, "/account");
  const delivery = await failedDelivery(two);
  const { accountId, projectId } = two;
  const sessionId = await seedSecretSession({ accountId, projectId });
  const box = page.getByRole("textbox", { name: "Find by id" });
  for (const [text, address] of [
    [projectId, `/staff/accounts/${accountId}`],
    [requestId, `/staff/logs?requestId=${requestId}&call=${requestId}`],
    [sessionId, `/staff/sessions/${sessionId}`],
    [delivery, `/staff/deliveries?id=${delivery}&delivery=${delivery}`],
    ["Red Fox", "/staff/accounts?search=Red%20Fox"],
  ] as const) {
    await page.goto("/staff/system");
    await box.fill(text);
    await box.press("Enter");
    await expect(page).toHaveURL(address);
  }
  await expect(row(page, "Red Fox Press")).toBeVisible();
  await page.goto("/staff/search");
  await expectWellMade(page, "staff-search");
});

test("staff see how a session went, and no word of what was said in it", async ({ page }) => {
  const { accountId, projectId } = two;
  const sessionId = await seedSecretSession({ accountId, projectId });
  await page.goto(`/staff/sessions/${sessionId}`);
  const newest = page.getByRole("region", { name: "Turn 2" });
  for (const words of [
    "The answer ends early",
    "PDF, 40 pages",
    "Left out: 12 pages",
    "begun 2 times",
    "4; 2 did not fit",
  ])
    await expect(newest).toContainText(words);
  await expect(page.getByRole("region", { name: "Turn 1" })).toContainText("MODEL_TIMEOUT");
  expect(await page.content()).not.toContain("secret");
  await expectWellMade(page, "staff-session");
  await page.getByRole("link", { name: "Its deliveries" }).click();
  await expect(page).toHaveURL(`/staff/deliveries?sessionId=${sessionId}`);
  expect((await page.request.get("/staff/sessions/%00")).status()).toBe(404);
});

test("staff see of an account which receivers nothing is sent to, and what went to them", async ({ page }) => {
  const { accountId, projectId } = one;
  const url = "https://stopped.example/hook?token=url-secret";
  const scope = { accountId, projectId, url };
  const id = await seedRegistration({ ...scope, secret: "whsec_seeded", status: "failed" });
  const { id: delivery } = await seedDelivery({ ...scope, registrationId: id, status: "failed" });
  await seedDelivery({ ...scope });
  await page.goto(`/staff/accounts/${accountId}`);
  const webhooks = page.getByRole("table", { name: "Webhooks" });
  await expect(webhooks).toContainText("stopped after failures");
  expect(await page.content()).not.toContain("url-secret");
  await webhooks.getByRole("link", { name: /stopped.example/ }).click();
  const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await rows.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`delivery=${delivery}`));
});

test.describe("the pages of staff", () => {
  test("are not there for owners, and lead the signed-out to the sign-in, with nothing of them in the body", async () => {
    const owner = await one.addPerson("owner");
    for (const path of [...PAGES, "/staff", `/staff/accounts/${one.accountId}`]) {
      for (const [headers, status] of [
        [{}, 307],
        [cookieOf(owner), 404],
      ] as const) {
        const answer = await fetch(new URL(path, suite.url), { headers, redirect: "manual" });
        expect([path, answer.status]).toEqual([path, status]);
        expect(await answer.text()).not.toContain("Grey Heron");
      }
    }
  });

  test("send staff without a second factor to set one up", async ({ page, context }) => {
    const fresh = await staffPerson();
    await prisma().user.update({ where: { id: fresh.userId }, data: { totpSecretEncrypted: null } });
    await signInContext(context, fresh);
    await page.goto("/staff/accounts");
    await expect(page).toHaveURL(/\/panel\/enrol$/);
    await expect(page.getByText("Staff see every company’s data")).toBeVisible();
  });

  test("begin with the queue of verifications", async ({ page }) => {
    await page.goto("/staff");
    await expect(page).toHaveURL(/\/staff\/verifications$/);
  });
});

test.describe("logs of all accounts", () => {
  test("show calls of everybody, are filtered in the address, and open one by its request id", async ({ page }) => {
    const good = await loggedCall(one, "/account");
    const bad = await loggedCall(two, "/chat/ses_none");
    await page.goto("/staff/logs");
    await expect(row(page, "Grey Heron Rail").first()).toBeVisible();
    await expect(row(page, "Red Fox Press").first()).toContainText("NOT_FOUND");
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("button", { name: "4xx" }).click();
    await expect(page).toHaveURL(/status=4xx/);
    await expect(row(page, "Grey Heron Rail")).toHaveCount(0);
    await page.getByRole("link", { name: `request ${bad}` }).click();
    const panel = page.getByRole("dialog");
    await expect(panel).toContainText("/api/v1/chat/:sessionId");
    await expect(panel.getByRole("link", { name: "Red Fox Press" })).toHaveAttribute(
      "href",
      `/staff/accounts/${two.accountId}`,
    );
    await page.goto(`/staff/logs?accountId=${one.accountId}&call=${good}`);
    await expect(page.getByRole("dialog")).toContainText("GET /account");
    expect(await page.content()).not.toContain(one.apiKey);
    await page.goto("/staff/logs?from=bent");
    await expect(page.getByText("This filter cannot be read")).toBeVisible();
    await page.goto("/staff/logs?cursor=bent&call=none");
    await expect(row(page, "Grey Heron Rail").first()).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("are well made, with a call open and without any", async ({ page }) => {
    const requestId = await loggedCall(one, "/account");
    await page.goto("/staff/logs");
    await expectWellMade(page, "staff-logs");
    await page.goto(`/staff/logs?call=${requestId}`);
    await expectWellMade(page, "staff-call");
    await page.goto("/staff/logs?accountId=acc_none");
    await expectWellMade(page, "staff-logs-empty");
  });
});

test.describe("deliveries of all accounts", () => {
  test("show how each attempt went, and nothing of what was said", async ({ page }) => {
    const id = await failedDelivery(one);
    await page.goto(`/staff/deliveries?accountId=${one.accountId}&status=failed`);
    await expect(row(page, "Grey Heron Rail").first()).toContainText("503");
    await page.getByRole("link", { name: `delivery ${id}` }).click();
    const panel = page.getByRole("dialog");
    await expect(panel.getByRole("table", { name: "Attempts" })).toContainText("84 ms");
    await expect(panel).toContainText("127.0.0.1:1");
    await expect(panel).not.toContainText("/hook");
    const { body } = await prisma().webhookDelivery.findUniqueOrThrow({ where: { id }, select: { body: true } });
    const html = await page.content();
    expect(html).not.toMatch(/(url|header|body)-secret/);
    expect(html).not.toContain(JSON.parse(Buffer.from(body).toString("utf8")).sessionId);
  });

  test("are found by their id and by the X-Service-Delivery that a receiver saw", async ({ page }) => {
    const id = await failedDelivery(one);
    await failedDelivery(one);
    // In the words that the account's own people read.
    await prisma().webhookDelivery.update({ where: { id }, data: { status: "held" } });
    const { deliveryUuid } = await prisma().webhookDelivery.findUniqueOrThrow({ where: { id } });
    for (const known of [id, deliveryUuid]) {
      await page.goto("/staff/deliveries");
      await page.getByRole("button", { name: "Id", exact: true }).click();
      await page.getByRole("textbox", { name: "Id", exact: true }).fill(known);
      await page.getByRole("button", { name: "Apply" }).click();
      await expect(page).toHaveURL(new RegExp(`id=${known}`));
      await expect(page.getByRole("link", { name: /, delivery dlv_/ })).toHaveCount(1);
      await expect(page.getByRole("link", { name: `delivery ${id}` })).toBeVisible();
      await expect(row(page, "Grey Heron Rail")).toContainText("held back");
    }
  });

  test("are found by an id that is pasted as soon as the filter is open, and Enter", async ({ page }) => {
    const id = await failedDelivery(one);
    await page.goto("/staff/deliveries");
    const chip = page.getByRole("button", { name: "Id", exact: true });
    await chip.press("Enter");
    await expect(page.getByRole("textbox", { name: "Id", exact: true })).toBeFocused();
    await pasteText(page, id.repeat(20));
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("at most 400 characters fit");
    await page.keyboard.press("ControlOrMeta+a");
    await pasteText(page, id);
    await expect(page.getByRole("dialog").getByRole("alert")).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`id=${id}`));
    await expect(page.getByRole("button", { name: `Id ${id}`, exact: true })).toBeFocused();
  });

  test("are sent again with a reason, which its audit log keeps", async ({ page }) => {
    const id = await failedDelivery(two);
    await page.goto(`/staff/deliveries?delivery=${id}`);
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
    const question = page.getByRole("alertdialog", { name: "Send this delivery again?" });
    await question.getByLabel("Reason").fill("The receiver was repaired");
    await question.getByRole("button", { name: "Send again" }).click();
    await expectToast(page, "On its way again");
    const entry = await prisma().auditEntry.findFirst({ where: { subject: id } });
    expect(entry).toMatchObject({
      accountId: two.accountId,
      actorId: staff.userId,
      action: "delivery.resend",
      reason: "The receiver was repaired",
      before: { status: "failed", round: 1 },
    });
  });

  test("are well made, with one open", async ({ page }) => {
    const id = await failedDelivery(one);
    await page.goto("/staff/deliveries");
    await expectWellMade(page, "staff-deliveries");
    await page.goto(`/staff/deliveries?delivery=${id}`);
    await expectWellMade(page, "staff-delivery");
  });
});

test.describe("the system", () => {
  test("shows what waits and what failed, and goes on by itself", async ({ page }) => {
    await page.clock.install();
    await page.goto("/staff/system");
    await expect(page.getByRole("heading", { name: "Runner" })).toBeVisible();
    await expect(page.getByText("Embedded")).toBeVisible();
    await db().query(
      `INSERT INTO runner_runs (id, function_id, event_id, lane, status, pending, output, created_at, ended_at)
       VALUES ('run_staff', 'answer-turn', 'evt_staff', '', 'failed', 0, '{"message":"<b>It broke</b>","stack":"at secret"}', now(), now()),
              ('run_sent', 'deliver-webhook', 'evt_sent', '', 'failed', 0, '{"message":"It was lost"}', now(), now())`,
    );
    const [turnId, deliveryId] = [newId("turn"), await failedDelivery(two)];
    const payload = (data: object) => JSON.stringify({ data });
    await db().query(
      `INSERT INTO runner_events (id, name, payload, received_at)
       VALUES ('evt_staff', 'turn/ready', $1, now()), ('evt_sent', 'delivery/ready', $2, now())`,
      [payload({ turnId, accountId: one.accountId }), payload({ deliveryId })],
    );
    // Nobody loads the page again.
    await expect(row(page, "<b>It broke</b>")).toBeVisible();
    await expect(row(page, "<b>It broke</b>").getByRole("link", { name: turnId })).toHaveAttribute(
      "href",
      `/staff/accounts/${one.accountId}`,
    );
    await expect(row(page, "<b>It broke</b>").getByRole("button", { name: "Copy the turn's id" })).toBeVisible();
    expect(await page.content()).not.toContain("at secret");
    await expectWellMade(page, "staff-system");
    // Nobody touches it for so long that a session has to lie idle: it asks for nothing by itself, until somebody does.
    await page.clock.fastForward("15:00");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.clock.runFor(30_000);
    expect(asked).toEqual([]);
    await Promise.all([page.waitForRequest(/\/staff\/system/), page.mouse.move(400, 400)]);
    await row(page, "It was lost").getByRole("link", { name: deliveryId }).click();
    await expect(page.getByRole("link", { name: `delivery ${deliveryId}` })).toBeVisible();
    await db().query("DELETE FROM runner_runs WHERE id IN ('run_staff', 'run_sent')");
    await db().query("DELETE FROM runner_events WHERE id IN ('evt_staff', 'evt_sent')");
  });
});

test.describe("the audit log of all accounts", () => {
  test("is filtered in the address and shows the state before and after", async ({ page }) => {
    await prisma().auditEntry.create({
      data: {
        id: newId("audit"),
        accountId: one.accountId,
        actorKind: "staff",
        actorId: staff.userId,
        action: "account.set-plan",
        subject: one.accountId,
        reason: `<img src=x onerror="window.hacked=1">`,
        before: { planId: "growth" },
        after: { planId: "scale" },
      },
    });
    await page.goto("/staff/audit-log");
    await page.getByRole("button", { name: "What" }).first().click();
    await page.getByRole("textbox", { name: "What" }).fill("account.set-plan");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(/action=account\.set-plan/);
    await row(page, "Grey Heron Rail").first().getByRole("link").first().click();
    const panel = page.getByRole("dialog", { name: "Plan changed" });
    await expect(panel).toContainText("growth");
    await expect(panel).toContainText("scale");
    await expect(panel).toContainText("<img src=x");
    await expect(panel).toContainText(staff.email);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await page.goto(`/staff/audit-log?accountId=${two.accountId}&action=account.set-plan`);
    await expect(page.getByText("No line is like that")).toBeVisible();
  });

  test("says beside a long address what whoever did it is", async ({ page }) => {
    await setPlan(
      { kind: "staff", userId: staff.userId },
      { accountId: one.accountId, planId: "free", reason: "Asked" },
    );
    await page.goto("/staff/audit-log");
    const who = row(page, staff.email).first().getByRole("cell").filter({ hasText: staff.email });
    await expect(who).toContainText("staff");
    expect(await who.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test("shows an address whole where the table has room for it, and stays within its window where not", async ({
    page,
  }) => {
    const { userId } = await staffPerson();
    const email = `ann.keller-${userId.slice(-6)}@example.test`;
    await prisma().user.update({ where: { id: userId }, data: { email } });
    await setPlan({ kind: "staff", userId }, { accountId: one.accountId, planId: "starter", reason: "Asked" });
    await page.goto("/staff/audit-log");
    const address = row(page, email).first().getByText(email);
    expect(await address.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    for (const width of [390, 640]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("is well made, with a line open", async ({ page }) => {
    await page.goto("/staff/audit-log");
    await expectWellMade(page, "staff-audit-log");
    await row(page, "Account created").first().getByRole("link").first().click();
    await expect(page.getByRole("dialog", { name: "Account created" })).toBeVisible();
    await expectWellMade(page, "staff-audit-entry");
  });
});
