import { randomUUID } from "node:crypto";
import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { finishedChat } from "@/e2e/support/finished-chat";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { cookieOf, type PanelAccount, panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { suite } from "@/e2e/support/suite";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { AlertKind } from "@/lib/domain/alert-kinds";
import { newId } from "@/lib/domain/ids";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { watchFailingSessions } from "@/lib/services/alerts/watch-failing-sessions";

const PATH = "/panel";
const ALERTS = "/panel/alerts";
const HOSTILE = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;
const HOUR_MS = 3_600_000;
const STEPS = 6;

const own = usePanelOwner();

test.beforeAll(async () => {
  await seedActivity(own.account);
});

const scopeOf = ({ accountId, projectId }: PanelAccount) => ({ accountId, projectId });

/** Ninety days of calls and use; on the present hour nothing but ten calls, one of them refused and two failed. */
async function seedActivity(of: PanelAccount) {
  const { accountId, projectId } = of;
  const current = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const hours = Array.from({ length: 90 * 4 }, (_, index) => new Date(current - (index + 1) * 6 * HOUR_MS));
  const rows = hours.map((hour, index) => ({ hour, requests: 20 + ((index * 37) % 90), clientErrors: index % 5 }));
  await prisma().callHour.createMany({
    data: [
      ...rows.map((row) => ({ ...row, ...{ accountId, projectId }, serverErrors: row.requests % 17 === 0 ? 3 : 0 })),
      { accountId, projectId, hour: new Date(current), requests: 10, clientErrors: 1, serverErrors: 2 },
    ],
  });
  const days = Array.from({ length: 90 }, (_, index) => index);
  await prisma().usageDay.createMany({
    data: days.map((index) => ({
      ...{ accountId, projectId, endpoint: "POST /chat", requests: 12 },
      day: new Date(`${new Date(current - index * 24 * HOUR_MS).toISOString().slice(0, 10)}T00:00:00.000Z`),
      tokensIn: BigInt(8_000 + ((index * 3_571) % 9_000)),
      tokensOut: BigInt(2_000 + ((index * 1_733) % 4_000)),
      credits: 14 + ((index * 11) % 17),
    })),
  });
}

async function addAlert(
  of: PanelAccount,
  alert: { kind?: AlertKind; projectId?: string; subjectId?: string | null; message?: string } = {},
) {
  const id = newId("alert");
  const { kind = "webhook.failed", projectId = of.projectId, subjectId = newId("webhook") } = alert;
  const { message = "shop.example answered 503." } = alert;
  await prisma().alert.create({ data: { id, accountId: of.accountId, projectId, kind, subjectId, message } });
  return id;
}

const SUPPORT = "mailto:support@service.example";

const openAlerts = (page: Page) => page.getByRole("list", { name: "Open alerts" }).getByRole("listitem");
const chart = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const checklist = (page: Page) => page.getByRole("region", { name: "Getting started" });

/** The times below all charts, with the middle of each in pixels. */
const timesBelow = (page: Page) =>
  page.locator("figure > [aria-hidden=true] :is(span, text)").evaluateAll((all) =>
    all
      .filter((word) => word.getClientRects().length > 0 && /^\d+ \w{3}$/.test(word.textContent ?? ""))
      .map((word) => {
        const { x, width, y, height } = word.getBoundingClientRect();
        return { word: word.textContent, x: x + width / 2, y: y + height / 2 };
      }),
  );

test.describe("overview", () => {
  test("shows calls, errors, tokens and credits of the range in the address", async ({ page }) => {
    // Again where an hour ended between the page and the sums.
    await expect(async () => {
      await page.goto(`${PATH}?range=24h`);
      const { rows } = await db().query<{ requests: number; errors: number }>(
        `SELECT sum(requests)::int AS requests, sum(client_errors + server_errors)::int AS errors FROM call_hours
         WHERE project_id = $1 AND hour > date_trunc('hour', now()) - interval '24 hours'`,
        [own.account.projectId],
      );
      const [day] = rows;
      expect(await chart(page, "Requests").textContent()).toContain(String(day?.requests));
      expect(await chart(page, "Errors").textContent()).toContain(String(day?.errors));
    }).toPass();
    await page.getByRole("link", { name: "90 days" }).click();
    await expect(page).toHaveURL(`${PATH}?range=90d`);
    const { rows: sums } = await db().query<{ credits: number }>(
      "SELECT sum(credits)::int AS credits FROM usage_days WHERE project_id = $1",
      [own.account.projectId],
    );
    await expect(chart(page, "Credits")).toContainText((sums[0]?.credits ?? 0).toLocaleString("en-US"));
    await chart(page, "Tokens").getByText("Figures as a table").click();
    await expect(chart(page, "Tokens").locator("tbody tr")).toHaveCount(90);
    await expect(chart(page, "Tokens").locator("tbody tr").last()).toContainText("so far");
    await page.goto(`${PATH}?range=forever`);
    await expect(page.getByRole("link", { name: "7 days" })).toHaveAttribute("aria-current", "page");
  });

  test("draws its charts on the server, and again for the pointer once they are near", async ({ page }) => {
    const sent = await (await fetch(`${suite.url}${PATH}?range=30d`, { headers: cookieOf(own.owner) })).text();
    expect(sent.match(/<path[^>]+vector-effect="non-scaling-stroke"/g), "two areas, today apart").toHaveLength(4);
    expect(sent.match(/linear-gradient\(to top/g)?.length, "two times thirty bars").toBeGreaterThanOrEqual(60);
    await page.goto(`${PATH}?range=30d`);
    await chart(page, "Errors").scrollIntoViewIfNeeded();
    await chart(page, "Requests").scrollIntoViewIfNeeded();
    await expect(page.locator(".recharts-surface")).toHaveCount(4);
    await chart(page, "Requests").locator(".recharts-surface").hover();
    await expect(chart(page, "Requests")).toContainText(/ UTC.*requests/);
  });

  test("leads the keyboard past what its charts draw, to their tables", async ({ page }) => {
    await page.goto(`${PATH}?range=30d`);
    await chart(page, "Errors").scrollIntoViewIfNeeded();
    await chart(page, "Requests").scrollIntoViewIfNeeded();
    await expect(page.locator(".recharts-surface")).toHaveCount(4);
    await expect(chart(page, "Tokens").locator(".recharts-bar-rectangle").first()).toBeVisible();
    const tables = page.locator("figure summary");
    for (const index of [1, 2]) {
      await tables.nth(index).focus();
      await page.keyboard.press("Tab");
      await expect(tables.nth(index + 1)).toBeFocused();
    }
  });

  test("says below its charts when their points were before they are drawn, in the places that the words then keep", async ({
    page,
    context,
    browser,
  }) => {
    const plain = await browser.newContext({ baseURL: suite.url, storageState: await context.storageState() });
    const sketched = await plain.newPage();
    // What puts the page's own parts in their places stands in the page.
    await sketched.route("**/*.js", (route) => route.abort());
    for (const width of [390, 1280]) {
      for (const shown of [sketched, page]) {
        await shown.setViewportSize({ width, height: 3_000 });
        await shown.goto(`${PATH}?range=30d`, { waitUntil: "commit" });
      }
      await expect(chart(sketched, "Errors")).toBeVisible();
      await expect(page.locator(".recharts-surface")).toHaveCount(4);
      const words = await timesBelow(sketched);
      expect(words.length).toBeGreaterThan(8);
      const drawn = await timesBelow(page);
      expect(drawn.map(({ word }) => word)).toEqual(words.map(({ word }) => word));
      const moved = drawn.map(({ x, y }, index) => Math.hypot(x - (words[index]?.x ?? 0), y - (words[index]?.y ?? 0)));
      expect(Math.max(...moved)).toBeLessThan(2);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await plain.close();
  });

  test("teaches the first call, and ticks the steps by itself as they are done", async ({ page, context }) => {
    const fresh = await panelAccount();
    await prisma().account.update({ where: { id: fresh.accountId }, data: { verificationStatus: "unsubmitted" } });
    await signInContext(context, await fresh.addPerson("owner"));
    await page.goto(PATH);
    await expect(checklist(page)).toContainText(`1 of ${STEPS} done`);
    await expect(checklist(page).getByRole("link", { name: "Verify your company" })).toHaveAttribute(
      "href",
      "/panel/api-b2b/verification",
    );
    await expect(page.getByLabel("Code: the first call")).toContainText(`${suite.url}/api/v1/chat`);
    await prisma().account.update({ where: { id: fresh.accountId }, data: { verificationStatus: "verified" } });
    const api = apiClient(suite.url, fresh.apiKey);
    // The command that comes with a new key; what gets an answer is still to be made.
    await api.get("/account");
    await expect(checklist(page)).toContainText(`3 of ${STEPS} done`);
    await expect(page.getByLabel("Code: the first call")).toBeVisible();
    const sessionId = await finishedChat(api, HOSTILE);
    await expect(checklist(page)).toContainText(`4 of ${STEPS} done`);
    await expect(page.getByLabel("Code: the first call")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "<img src=x" })).toBeVisible();
    await expect(chart(page, "Requests")).toBeVisible();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await page.getByRole("link", { name: "<img src=x" }).click();
    await expect(page).toHaveURL(`/panel/sessions/${sessionId}`);
  });

  test("says of a verification that came back what there is to do, not what was done already", async ({
    page,
    context,
  }) => {
    const fresh = await panelAccount();
    await signInContext(context, await fresh.addPerson("owner"));
    for (const [status, words] of [
      ["more_info", "Our staff asked for more."],
      ["rejected", "It was rejected."],
    ] as const) {
      await prisma().account.update({ where: { id: fresh.accountId }, data: { verificationStatus: status } });
      await page.goto(PATH);
      const step = checklist(page).getByRole("listitem").filter({ hasText: "Verify your company" });
      await expect(step).toContainText(words);
      await expect(step).not.toContainText("Hand in the company's data");
    }
  });

  test("says of the first steps which ones the reader may not do, and leads on to those they may", async ({
    page,
    context,
  }) => {
    const fresh = await panelAccount();
    await prisma().account.update({ where: { id: fresh.accountId }, data: { verificationStatus: "unsubmitted" } });
    await signInContext(context, await fresh.addPerson("member"));
    await page.goto(PATH);
    for (const title of ["Verify your company", "Add a webhook"]) {
      const step = checklist(page).getByRole("listitem").filter({ hasText: title });
      await expect(step).toContainText("An owner or admin of your team does this.");
      await expect(step.getByRole("link")).toHaveCount(0);
    }
    const step = checklist(page).getByRole("listitem").filter({ hasText: "Write a template" });
    await expect(step.getByRole("link")).toHaveAttribute("href", "/panel/templates");
    await expect(step).not.toContainText("owner or admin");
    await expectWellMade(page, "overview-new-member");
  });

  test("hides the finished steps for good when the reader says so", async ({ page, context }) => {
    const done = await panelAccount();
    const { accountId, projectId } = done;
    const api = apiClient(suite.url, done.apiKey);
    await finishedChat(api, "Hello");
    const template = await api.post("/templates", { name: "Greeting", promptTemplate: "Say hello to {{name}}." });
    expect(template.status).toBe(201);
    await seedRegistration({ accountId, projectId, url: "https://done.example/", secret: newWebhookSecret() });
    await prisma().callHour.createMany({
      data: [{ accountId, projectId, hour: new Date(0), requests: 1, clientErrors: 0, serverErrors: 0 }],
    });
    await signInContext(context, await done.addPerson("owner"));
    await page.goto(PATH);
    await page.getByRole("region", { name: "You are all set" }).getByRole("button", { name: "Hide" }).click();
    await expect(page.getByText("You are all set")).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
    await expect(page.getByText("You are all set")).toHaveCount(0);
  });

  test("shows the plan with its end, and credits free and reserved", async ({ page }) => {
    await prisma().account.update({ where: { id: own.account.accountId }, data: { creditReserved: 40 } });
    await page.goto(PATH);
    const plan = page.getByRole("region", { name: "Growth plan" });
    await expect(plan.getByRole("meter", { name: "Tokens this month" })).toBeVisible();
    await expect(plan).toContainText(/Begins again on 1 \w{3} \d{4}, 00:00 UTC/);
    await expect(plan).toContainText("1,000");
    await expect(plan).toContainText("In open work40");
    await prisma().account.update({ where: { id: own.account.accountId }, data: { creditReserved: 1_000 } });
    await page.reload();
    await expect(plan).toContainText("No credits are free");
    await page.goto("/panel/usage");
    await expect(page.getByRole("main")).toContainText(
      "Growth plan of the account, over all its projects: 1,000 credits left",
    );
    await expect(page.getByText("No credits are free")).toBeVisible();
    await prisma().account.update({ where: { id: own.account.accountId }, data: { creditReserved: 0 } });
  });

  test("names the receivers that did not get something, and leads to them", async ({ page }) => {
    const secret = newWebhookSecret();
    const url = `https://lost.example/${"long-".repeat(60)}`;
    const webhookId = await seedRegistration({ ...scopeOf(own.account), url, secret });
    await seedRegistration({ ...scopeOf(own.account), url: "https://fine.example/", secret });
    await seedDelivery({ ...scopeOf(own.account), url, registrationId: webhookId, status: "failed" });
    await page.goto(PATH);
    const failing = page.getByRole("region", { name: "Failing webhooks" });
    await expect(failing.getByRole("listitem")).toHaveCount(1);
    await expect(failing).toContainText("1 not delivered in 24 h");
    await failing.getByRole("link", { name: "lost.example" }).click();
    await expect(page).toHaveURL(`/panel/api-b2b/webhooks/${webhookId}`);
  });

  test("shows nothing of another company's project", async ({ page, context }) => {
    const theirs = await panelAccount();
    await addAlert(theirs, { message: "Their secret receiver" });
    const { body } = await apiClient(suite.url, theirs.apiKey).post<{ sessionId: string }>("/chat", {
      message: "Their secret message",
    });
    expect(body.sessionId).toBeTruthy();
    await context.addCookies([{ name: "panel.project", value: theirs.projectId, url: suite.url }]);
    for (const path of [PATH, ALERTS, `${ALERTS}?show=past`]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Overview|Alerts/);
      expect(await page.content()).not.toContain("Their secret");
    }
  });

  test("is well made, busy and new", async ({ page, context }) => {
    const alertId = await addAlert(own.account, { message: `shop.example/hooks answered 503 five times. ${HOSTILE}` });
    await page.goto(`${PATH}?range=30d`);
    await expect(openAlerts(page)).not.toHaveCount(0);
    await expectWellMade(page, "overview");
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await prisma().alert.delete({ where: { id: alertId } });
    await signInContext(context, await (await panelAccount()).addPerson("owner"));
    await page.goto(PATH);
    await expect(checklist(page)).toBeVisible();
    await expectWellMade(page, "overview-new");
  });
});

test.describe("alerts", () => {
  test("stand behind the bell, lead to their cause, and go when dismissed", async ({ page }) => {
    const webhookId = await seedRegistration({
      ...scopeOf(own.account),
      url: "https://failed.example/",
      secret: newWebhookSecret(),
      status: "failed",
    });
    const message = `failed.example answered 500 (${randomUUID()}).`;
    await addAlert(own.account, { subjectId: webhookId, message });
    await page.goto(PATH);
    await page.getByRole("link", { name: "1 open alert" }).click();
    await expect(page).toHaveURL(ALERTS);
    const alert = openAlerts(page).filter({ hasText: message });
    await expect(alert.getByRole("link", { name: "Look at the webhook" })).toHaveAttribute(
      "href",
      `/panel/api-b2b/webhooks/${webhookId}`,
    );
    await alert.getByRole("button", { name: "Dismiss" }).focus();
    await page.keyboard.press("Enter");
    await expectToast(page, "Alert dismissed");
    await expect(alert).toHaveCount(0);
    await expect(page.getByRole("link", { name: "No open alerts" })).toBeVisible();
    await page.getByRole("link", { name: "Past" }).click();
    await expect(page.getByRole("list", { name: "Past alerts" })).toContainText(message);
    await expect(page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
  });

  test("can be dismissed by a member, and opened in the project that they are of", async ({ page, context }) => {
    const { accountId } = own.account;
    const projectId = newId("project");
    await db().query(
      `INSERT INTO projects (id, account_id, name, callback_secret_encrypted)
       SELECT $1, account_id, $2, callback_secret_encrypted FROM projects WHERE id = $3`,
      [projectId, "Second shop", own.account.projectId],
    );
    const url = "https://second.example/";
    const webhookId = await seedRegistration({ accountId, projectId, url, secret: newWebhookSecret() });
    await addAlert(own.account, { projectId, subjectId: webhookId });
    await signInContext(context, await own.account.addPerson("member"));
    await page.goto(ALERTS);
    await openAlerts(page).getByRole("button", { name: "Open in Second shop" }).click();
    await expect(page).toHaveURL(`/panel/api-b2b/webhooks/${webhookId}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("second.example");
    await page.goto(PATH);
    await openAlerts(page).getByRole("button", { name: "Dismiss" }).click();
    await expect(openAlerts(page)).toHaveCount(0);
  });

  test("about a key lead to that key", async ({ page, context }) => {
    const fresh = await panelAccount();
    await signInContext(context, await fresh.addPerson("owner"));
    const { projectId } = fresh;
    const subjectId = fresh.principal.apiKeyId;
    const message =
      "The key “Backend” (…a1b2) of the project “Default” was used from 203.0.113.9, 2001:db8::7 and 3 other addresses, where it is not allowed to be: 12 calls of the last 24 hours were refused. If that is a server of yours, allow its address. If not, rotate the key: somebody else has it.";
    for (const kind of ["key.expiring", "key.ended", "key.elsewhere"] as const) {
      await addAlert(fresh, { kind, projectId, subjectId, message });
      await page.goto(ALERTS);
      const link = openAlerts(page).getByRole("link", { name: "Look at the key" });
      await expect(link.first()).toHaveAttribute("href", `/panel/api-b2b/api-keys?key=${subjectId}`);
    }
    await expectWellMade(page, "alerts-keys");
  });

  test("about sessions that fail lead to those, where all are tried again by one press", async ({ page, context }) => {
    const fresh = await panelAccount();
    await signInContext(context, await fresh.addPerson("owner"));
    const client = apiClient(suite.url, fresh.apiKey);
    for (let n = 1; n <= 10; n++) await finishedChat(client, `Down ${n} [[fail:401:1]] ${randomUUID()}`);
    expect((await watchFailingSessions()).raised).toBeGreaterThan(0);
    await page.goto(ALERTS);
    const alert = openAlerts(page).filter({ hasText: "The newest 10 sessions" });
    await expect(alert).toContainText("Most of the newest sessions failed");
    await expectWellMade(page, "alerts-sessions");
    // As it is in the morning.
    await prisma().session.updateMany({ where: { projectId: fresh.projectId }, data: { status: "expired" } });
    await alert.getByRole("link", { name: "Look at what failed" }).click();
    await expect(page.getByRole("row")).toHaveCount(11);
    await page.getByRole("button", { name: "Try all again" }).click();
    await page.getByRole("button", { name: "Try them again" }).click();
    await expect(page.getByRole("alertdialog", { name: "10 sessions run again." })).toBeVisible();
  });

  test("about credits and tokens lead to where more is asked for", async ({ page, context }) => {
    const fresh = await panelAccount();
    await signInContext(context, await fresh.addPerson("owner"));
    for (const [kind, title] of [
      ["credits.low", "Credits are running low"],
      ["credits.out", "Calls are refused: too few credits"],
      ["tokens.low", "Most of the month's tokens are used"],
      ["tokens.out", "The month's tokens are used up"],
    ] as const) {
      const message = `${kind} ${randomUUID()}`;
      await addAlert(fresh, { kind, message });
      await page.goto(ALERTS);
      const alert = openAlerts(page).filter({ hasText: message });
      await expect(alert).toContainText(title);
      await expect(alert.getByRole("link", { name: "Ask for more" })).toHaveAttribute("href", "/panel/settings/plan");
    }
    await expectWellMade(page, "alerts-usage");
    await openAlerts(page).first().getByRole("link", { name: "Ask for more" }).click();
    await page.getByRole("button", { name: /^You:/ }).click();
    await expect(page.getByRole("dialog").getByRole("link", { name: "Write to the support" })).toHaveAttribute(
      "href",
      SUPPORT,
    );
    await expect(page.getByRole("heading", { level: 1, name: "Plan and credits" })).toBeVisible();
  });

  test("about a limit lead to where it is set: to the project's settings, or to the key", async ({ page, context }) => {
    const fresh = await panelAccount();
    await signInContext(context, await fresh.addPerson("owner"));
    const key = await prisma().apiKey.findFirstOrThrow({ where: { projectId: fresh.projectId } });
    for (const [kind, subjectId, name, href] of [
      ["limit.low", null, "Look at the limit", "/panel/settings/project"],
      ["limit.out", key.id, "Look at the key", `/panel/api-b2b/api-keys?key=${key.id}`],
    ] as const) {
      const message = `${kind} ${randomUUID()}`;
      await addAlert(fresh, { kind, message, subjectId, projectId: fresh.projectId });
      await page.goto(ALERTS);
      const alert = openAlerts(page).filter({ hasText: message });
      await expect(alert.getByRole("link", { name })).toHaveAttribute("href", href);
    }
  });

  test("are well made, open and none", async ({ page, context }) => {
    const fresh = await panelAccount();
    await signInContext(context, await fresh.addPerson("owner"));
    await page.goto(ALERTS);
    await expect(page.getByText("Nothing to look at")).toBeVisible();
    await expectWellMade(page, "alerts-empty");
    await addAlert(fresh, { message: HOSTILE });
    await addAlert(fresh, { message: "x".repeat(2_000) });
    await page.reload();
    await expect(openAlerts(page)).toHaveCount(2);
    await expectWellMade(page, "alerts");
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });
});
