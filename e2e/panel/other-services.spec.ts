import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { makeLive } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { suite } from "@/e2e/support/suite";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService } from "@/e2e/support/test-service";

/** A service of its own, for people may sign in through others. */
let database: TestDatabase;
let service: TestService;

test.beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({
    databaseUrl: database.url,
    modelUrl: suite.modelUrl,
    settings: {
      GOOGLE_CLIENT_ID: "google-id",
      GOOGLE_CLIENT_SECRET: "secret",
      GITHUB_CLIENT_ID: "github-id",
      GITHUB_CLIENT_SECRET: "secret",
    },
  });
});

test.afterAll(async () => {
  await service.close();
  await database.drop();
});

test.beforeEach(({ context }) => makeLive(context));

test("offers somebody new who is invited the services, and goes there with the way back to the invitation", async ({
  browser,
}) => {
  const owner = await browser.newContext({ baseURL: service.url });
  const page = await owner.newPage();
  await page.goto("/panel/sign-up");
  await page.getByLabel("Company").fill("Acme");
  await page.getByLabel("E-mail").fill(`owner-${randomUUID()}@example.test`);
  await page.getByLabel("Password").fill("a boat under a bridge");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/panel$/);
  await page.goto("/panel/settings/team");
  await page.getByLabel("E-mail").fill(`guest-${randomUUID()}@example.test`);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = (await page.locator("code", { hasText: "/panel/invitation/" }).textContent()) ?? "";

  const guest = await browser.newContext({ baseURL: service.url });
  const guestPage = await guest.newPage();
  await guestPage.goto(link);
  await expect(guestPage.getByRole("button", { name: "Continue with Google" })).toBeVisible();
  await expectWellMade(guestPage, "invitation-services");
  await guestPage.route("https://github.com/**", (route) => route.fulfill({ body: "GitHub" }));
  await guestPage.getByRole("button", { name: "Continue with GitHub" }).click();
  await guestPage.waitForURL(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
  const kept = (await guest.cookies(service.url)).map(({ value }) => decodeURIComponent(value));
  expect(kept).toContain(link);
  await Promise.all([owner.close(), guest.close()]);
});

test("says on the page why nobody can be led to a service, and leads there at the next press", async ({ browser }) => {
  const context = await browser.newContext({ baseURL: service.url });
  const page = await context.newPage();
  await makeLive(context);
  await page.goto("/panel/sign-in?next=/panel/usage");
  await page.getByLabel("E-mail").fill("ann@example.test");
  const press = () => page.getByRole("button", { name: "Continue with GitHub" }).click();
  const says = (words: string) => expect(page.getByRole("alert").filter({ hasText: words })).toBeVisible();

  // A proxy before a service that starts anew; then one of two processes with an AUTH_SECRET each; then nobody.
  await page.route("**/api/auth/signin/github", (route) =>
    route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }),
  );
  await press();
  await says("The server could not be reached. Try again.");
  await page.route("**/api/auth/signin/github", (route) =>
    route.fulfill({ json: { url: `${service.url}/api/auth/signin?csrf=true` } }),
  );
  await press();
  await says("Signing in did not work. Try again.");
  await page.route("**/api/auth/**", (route) => route.abort());
  await press();
  await says("The server could not be reached. Try again.");
  await expect(page.getByLabel("E-mail")).toHaveValue("ann@example.test");

  await page.unrouteAll();
  await page.route("https://github.com/**", (route) => route.fulfill({ body: "GitHub" }));
  await press();
  await page.waitForURL(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
  await context.close();
});
