import { Client } from "pg";
import { type Browser, chromium, expect, type Page, test } from "playwright/test";
import type { ErrorBody } from "@/e2e/support/api-client";
import { readBooks } from "@/e2e/support/books";
import { BROWSER_ARGUMENTS } from "@/e2e/support/browser";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";
import { makeLive, refreshBySight } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { newId } from "@/lib/domain/ids";
import { findChromium } from "@/scripts/support/find-browser";

/** What has the form of a token is looked up. */
const TOKEN = "a".repeat(43);

let stage: FaultStage;

test.beforeAll(async () => {
  stage = await setFaultStage();
});

test.afterAll(async () => {
  await stage?.close();
});

test("without the database every call is a 503 that accepts nothing; with it again, work goes on without a restart", async () => {
  const { api, service, cluster, account, databaseUrl, receiver } = stage;
  const running = await api.post<{ sessionId: string }>("/chat", {
    message: "keep going [[size:400]] [[chunk:10]] [[slow:50ms]]",
    callbackUrl: `${receiver.url}/away`,
  });
  await stage.model.waitForRequests(1);
  const before = await readBooks(databaseUrl, account.accountId);
  await cluster.kill();

  for (const call of [
    () => api.post<ErrorBody>("/chat", { message: "lost?" }),
    () => api.get<ErrorBody>(`/chat/${running.body.sessionId}`),
    () => api.upload<ErrorBody>("/process", { file: new File(["text"], "a.txt"), prompt: "x" }),
  ]) {
    const { status, headers, body } = await call();
    expect(status).toBe(503);
    expect(body.error.code).toBe("SERVICE_UNAVAILABLE");
    expect(body.error.retryable).toBe(true);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }

  const pid = service.pid();
  await cluster.restart();
  await expect
    .poll(async () => (await api.get(`/chat/${running.body.sessionId}`)).status, { timeout: 15_000 })
    .toBe(200);
  const session = await api.waitUntilDone<{ status: string }>(`/chat/${running.body.sessionId}`);
  expect(session.status).toBe("completed");
  await receiver.waitForRequests(1, 30_000);
  expect(service.pid()).toBe(pid);

  const next = await api.post<{ sessionId: string }>("/chat", { message: "and now" });
  expect(next.status).toBe(202);
  expect((await api.waitUntilDone<{ status: string }>(`/chat/${next.body.sessionId}`)).status).toBe("completed");
  const books = await readBooks(databaseUrl, account.accountId);
  expect(Object.values(books.turns).reduce((sum, n) => sum + n, 0)).toBe(
    Object.values(before.turns).reduce((sum, n) => sum + n, 0) + 1,
  );
  expect(books).toMatchObject({ reserved: 0, doubleCharges: 0, wrongTerminals: 0, wrongTexts: 0, wrongDeliveries: 0 });
  expect(books.ledger).toBe(books.balance);
});

test("a server that comes up without the database ends, to be started again: up without its queue it would accept what nobody does", async () => {
  const { api, service, cluster } = stage;
  await service.kill();
  await cluster.kill();
  await expect(service.start()).rejects.toThrow("What works behind the server did not start");

  await cluster.restart();
  await service.start();
  const { status, body } = await api.post<{ sessionId: string }>("/chat", { message: "after the outage" });
  expect(status).toBe(202);
  expect((await api.waitUntilDone<{ status: string }>(`/chat/${body.sessionId}`)).status).toBe("completed");
});

test("without the database pages of the panel say so as a 503, and come back by themselves", async () => {
  const { service, cluster } = stage;
  const { page: open, browser } = await ownerPage();
  const other = await open.context().newPage();
  await open.goto("/panel/templates");
  await expect(heading(open)).toHaveText("Templates");
  await cluster.kill();

  const answer = await other.goto("/panel/usage?from=2026-01-01");
  expect(answer?.status()).toBe(503);
  expect(Number(answer?.headers()["retry-after"])).toBeGreaterThan(0);
  await expect(heading(other)).toHaveText("The database is away");
  await expect(
    other.getByText(/Nothing is lost.*If it stays, quote DATABASE_AWAY-[0-9a-f]+ to the support/),
  ).toBeVisible();
  const [reference] = /DATABASE_AWAY-[0-9a-f]+/.exec((await other.locator("main").textContent()) ?? "") ?? [];
  const line = service
    .log()
    .split("\n")
    .find((text) => text.includes(`${reference}`));
  expect(line).toContain(answer?.headers()["x-request-id"]);
  await other.getByRole("button", { name: "Try again" }).click();
  await expect(heading(other)).toHaveText("The database is away");
  await expectWellMade(other, "away");
  // Within the panel its navigation stays.
  await open.getByRole("link", { name: "Sessions" }).first().click();
  await expect(heading(open)).toHaveText("The database is away");
  await expect(open.getByRole("navigation", { name: "Panel" })).toBeVisible();
  await expectWellMade(open, "away-panel");
  for (const path of [`/panel/reset-password?token=${TOKEN}`, `/panel/invitation/${TOKEN}`, "/staff/accounts"]) {
    expect((await fetch(`${service.url}${path}`, { headers: await cookiesOf(open) })).status, path).toBe(503);
  }

  await cluster.restart();
  await open.bringToFront();
  await expect(heading(open)).toHaveText("Sessions");
  await other.bringToFront();
  await expect(heading(other)).toHaveText("Usage");
  await expect(other).toHaveURL("/panel/usage?from=2026-01-01");
  await browser.close();
});

test("a page that is read stays while the database is away, and draws itself anew when it is back", async () => {
  const { cluster } = stage;
  const { page, browser } = await ownerPage();
  await page.goto("/panel/api-b2b/api-keys");
  const answers: number[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/panel/api-b2b/api-keys?_rsc=")) answers.push(response.status());
  });
  await cluster.kill();
  const readiness = page.waitForResponse((response) => response.url().endsWith("/health/ready"));
  await refreshBySight(page);
  expect((await readiness).status()).toBe(503);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await expect(heading(page)).toHaveText("API Keys");
  expect(answers).toEqual([]);

  await cluster.restart();
  await expect(async () => {
    await refreshBySight(page);
    expect(answers).toContain(200);
  }).toPass();
  await expect(heading(page)).toHaveText("API Keys");
  await browser.close();
});

test("a form that is sent while the database is away says so until it is sent again, with all that was typed", async () => {
  const { cluster } = stage;
  const { page, browser } = await ownerPage();
  await page.goto("/panel/settings/account");
  const form = page.getByRole("region", { name: "Profile" });
  const save = form.getByRole("button", { name: "Save" });
  await form.getByLabel("Name").fill("Ann Berg");
  await cluster.kill();
  await save.click();
  await expect(form.getByRole("alert")).toHaveText("The service cannot do this right now. Try again.");
  await expect(form.getByLabel("Name")).toHaveValue("Ann Berg");

  await cluster.restart();
  await expect(async () => {
    await save.click();
    await expect(form.getByRole("alert")).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await page.reload();
  await expect(form.getByLabel("Name")).toHaveValue("Ann Berg");
  await browser.close();
});

test("a database that goes while a page is read is said on it as well, and the page comes back by itself", async () => {
  const { databaseUrl } = stage;
  const { page, browser } = await ownerPage();
  // Whoever is signed in is still read; of what the page is about, the database says that it is shutting down.
  await query(
    databaseUrl,
    `CREATE FUNCTION refuse() RETURNS boolean STABLE LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'; END $$;
     ALTER TABLE templates RENAME TO kept_templates; CREATE VIEW templates AS SELECT * FROM kept_templates WHERE refuse();
     ALTER TABLE usage_totals RENAME TO kept_totals; CREATE VIEW usage_totals AS SELECT * FROM kept_totals WHERE refuse();`,
  );

  const answer = await page.goto(`/panel/templates/${newId("template")}`);
  expect(answer?.status()).toBe(503);
  await expect(heading(page)).toHaveText("The database is away");
  await expect(page).toHaveTitle("The database is away");
  await expectWellMade(page, "away-in-page");
  // One part of a page is made apart.
  await page.getByRole("link", { name: "Usage" }).first().click();
  await expect(page).toHaveURL("/panel/usage");
  await expect(page.getByRole("heading", { name: "The database is away" })).toBeVisible();
  await page.getByRole("link", { name: "Templates" }).first().click();
  await expect(page).toHaveURL("/panel/templates");
  await expect(heading(page)).toHaveText("The database is away");
  await expect(page.getByText(/quote DATABASE_AWAY-[0-9a-f]+ to the support/)).toBeVisible();

  await query(
    databaseUrl,
    `DROP VIEW templates, usage_totals; DROP FUNCTION refuse;
     ALTER TABLE kept_templates RENAME TO templates; ALTER TABLE kept_totals RENAME TO usage_totals;`,
  );
  await expect(heading(page)).toHaveText("Templates");
  await expect(page).toHaveTitle(/^Templates/);
  await browser.close();
});

async function query(databaseUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** The owner's, signed in, in a browser that the test closes. */
async function ownerPage(): Promise<{ page: Page; browser: Browser }> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: BROWSER_ARGUMENTS });
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({ baseURL: stage.service.url, viewport });
  await makeLive(context);
  const page = await context.newPage();
  await signIn(page, stage.account.owner);
  return { page, browser };
}

async function signIn(page: Page, { email, password }: FaultStage["account"]["owner"]): Promise<void> {
  await page.goto("/panel/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/panel$/);
}

async function cookiesOf(page: Page): Promise<{ Cookie: string }> {
  return { Cookie: (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ") };
}
