import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectToast, holdSent, refreshBySight } from "@/e2e/support/live-pages";
import { endSessions, type PanelAccount, signInNewOwner, type TestPerson } from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

/** What people do while an answer is slow: they go on to other things. */

let account: PanelAccount;
let person: TestPerson;

test.beforeEach(async ({ context }) => {
  ({ account, person } = await signInNewOwner(context));
});

const LETTER = { name: "letter.md", mimeType: "text/markdown", buffer: Buffer.from("Write a letter") };

type Waited = PromiseWithResolvers<void>;

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function goByLink(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  await expect(heading(page)).toHaveText(name);
}

/** The browser's back button, out of a dialog in which something is written. */
async function leaveBack(page: Page): Promise<void> {
  await page.evaluate(() => history.back());
  await page.getByRole("alertdialog", { name: "Leave without saving?" }).getByRole("button", { name: "Leave" }).click();
}

test("links lead on at once, and the answer leads nobody back", async ({ page }) => {
  await page.goto("/panel/templates");
  const answer = await holdSent(page, LETTER.name);
  await page.getByLabel("Template file").first().setInputFiles(LETTER);
  await answer.isSent;
  await goByLink(page, "Usage");
  answer.go();
  await expectToast(page, "Template made of the file");
  await goByLink(page, "Sessions");
  await goByLink(page, "Templates");
  await expect(page.getByRole("link", { name: /letter/i })).toBeVisible();
});

test("a page that is still on its way when the answer comes is the one that is shown", async ({ page }) => {
  await page.goto("/panel/templates");
  const answer = await holdSent(page, LETTER.name);
  const shown = Promise.withResolvers<void>();
  await page.route(/\/panel\/usage/, async (route) => {
    await shown.promise;
    await route.fallback();
  });
  await page.getByLabel("Template file").first().setInputFiles(LETTER);
  await answer.isSent;
  await page.getByRole("navigation").getByRole("link", { name: "Usage", exact: true }).click();
  answer.go();
  await expectToast(page, "Template made of the file");
  shown.resolve();
  await expect(heading(page)).toHaveText("Usage");
  await expect(page).toHaveURL(/\/usage$/);
});

test("a page that the connection breaks off as it draws itself anew stays, and is drawn anew once there is one", async ({
  page,
  faults,
}) => {
  await page.goto("/panel");
  const isDrawn = (url: URL) => url.pathname === "/panel" && url.searchParams.has("_rsc");
  const broken = Promise.withResolvers<void>();
  const drawn = Promise.withResolvers<void>();
  let isAway = true;
  await page.route(
    (url) => isDrawn(url) || url.pathname === "/api/v1/health/ready",
    async (route) => {
      const request = route.request();
      if (request.headers()["next-router-prefetch"]) return route.fallback();
      const isOfPage = isDrawn(new URL(request.url()));
      if (isAway && (isOfPage || (await Promise.race([broken.promise.then(() => true), false])))) {
        broken.resolve();
        return route.abort("connectionreset");
      }
      if (isOfPage) drawn.resolve();
      await route.fallback();
    },
  );
  await refreshBySight(page);
  await broken.promise;
  isAway = false;
  await drawn.promise;
  await expect(heading(page)).toHaveText("Overview");
  // The browser's own, of the requests.
  faults.errors = faults.errors.filter((error) => !error.includes("ERR_CONNECTION_RESET"));
});

/** Cuts an answer to a call of Next with that method within its text, the next or a later one, on the page that is opened next. */
async function cutAnswers(page: Page): Promise<{ cutNext: (method: string, which?: number) => Promise<void> }> {
  await page.addInitScript(() => {
    const ask = window.fetch;
    const cuts = { method: "", left: 0 };
    Object.assign(window, { cuts });
    window.fetch = async (input, init) => {
      const answer = await ask(input, init);
      const headers = new Headers(init?.headers);
      const isAsked = (init?.method ?? "GET") === cuts.method && !headers.has("next-router-prefetch");
      if (!isAsked || !answer.headers.get("content-type")?.startsWith("text/x-component")) return answer;
      cuts.left -= 1;
      if (cuts.left !== 0) return answer;
      const text = new Uint8Array(await answer.arrayBuffer());
      const half = new ReadableStream({
        start: (controller) => controller.enqueue(text.slice(0, text.length / 2)),
        pull: (controller) => controller.error(new TypeError("network error")),
      });
      const { status } = answer;
      return Object.defineProperty(new Response(half, { status, headers: answer.headers }), "url", {
        value: answer.url,
      });
    };
  });
  return {
    cutNext: (method, which = 1) =>
      page.evaluate((next) => void Object.assign((window as unknown as { cuts: object }).cuts, next), {
        method,
        left: which,
      }),
  };
}

test("a page of which only a part comes as it draws itself anew stays, and is drawn anew", async ({ page }) => {
  const { cutNext } = await cutAnswers(page);
  await page.goto("/panel/sessions");
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  let drawn = 0;
  page.on("response", (response) => {
    const headers = response.request().headers();
    if (headers.rsc && !headers["next-router-prefetch"]) drawn += 1;
  });
  await cutNext("GET");
  await refreshBySight(page);
  await expect.poll(() => drawn, "once in vain, once whole").toBeGreaterThanOrEqual(2);
  await expect(heading(page)).toHaveText("Sessions");
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
});

test("a page of which only a part comes says that its connection broke, and comes by itself", async ({
  page,
  faults,
}) => {
  const { cutNext } = await cutAnswers(page);
  await page.goto("/panel/sessions");
  await cutNext("GET");
  await page.getByRole("navigation").getByRole("link", { name: "Usage", exact: true }).click();
  await expect(heading(page)).toHaveText("The connection broke");
  await expect(heading(page)).toHaveText("Usage");
  // React's, of what broke.
  faults.errors = faults.errors.filter((error) => !error.includes("network error"));
});

test("a form of whose answer only a part comes says that none came, and stays: what came may have led nowhere", async ({
  page,
}) => {
  const { cutNext } = await cutAnswers(page);
  await page.goto("/panel/api-b2b/api-keys");
  await page.getByRole("main").getByRole("button", { name: "Create key" }).last().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name").fill("Made on a train");
  // A look goes ahead of the act.
  await cutNext("POST", 2);
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("A key may have been made whose text nobody saw");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("row", { name: /Made on a train/ })).toBeVisible();
});

test("who opens a bookmark while a page is on its way comes there, though the browser breaks that off first as Firefox does", async ({
  page,
}) => {
  await page.goto("/panel/templates");
  const [asked, left, broken] = [0, 1, 2].map(() => Promise.withResolvers<void>()) as [Waited, Waited, Waited];
  await page.route("**/panel/usage?_rsc=*", async (route) => {
    if (route.request().headers()["next-router-prefetch"]) return route.fallback();
    asked.resolve();
    await left.promise;
    await route.abort("aborted");
    broken.resolve();
  });
  await page.route("**/docs", async (route) => {
    left.resolve();
    await broken.promise;
    // As long as a few answers take: whoever would go elsewhere for it has gone.
    for (let count = 0; count < 5; count += 1) await fetch(`${suite.url}/api/v1/health/live`);
    await route.continue();
  });
  await page.getByRole("navigation").getByRole("link", { name: "Usage", exact: true }).click();
  await asked.promise;
  await page.evaluate(() => window.location.assign("/docs"));
  await page.waitForURL("**/docs");
  await expect(heading(page)).toContainText("documents");
});

test("who goes back while a thing is deleted stays where they went", async ({ page }) => {
  await page.goto("/panel/usage");
  await goByLink(page, "Templates");
  await page.getByLabel("Template file").first().setInputFiles(LETTER);
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  const { pathname } = new URL(page.url());
  await page.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete this template?" });
  await question.getByRole("textbox").fill((await heading(page).textContent()) ?? "");
  const answer = await holdSent(page, pathname.split("/").at(-1) ?? "");
  await question.getByRole("button", { name: "Delete template" }).click();
  await answer.isSent;
  await leaveBack(page);
  await expect(heading(page)).toHaveText("Templates");
  await page.goBack();
  await expect(heading(page)).toHaveText("Usage");
  answer.go();
  await expect.poll(() => prisma().template.count({ where: { projectId: account.projectId } })).toBe(0);
  await expectToast(page, "Template deleted");
  await expect(heading(page)).toHaveText("Usage");
});

test("what is refused once its form is left is said all the same, and a key that nobody saw", async ({ page }) => {
  await page.goto("/panel/usage");
  await goByLink(page, "Webhooks");
  await page.getByRole("button", { name: "Add webhook" }).first().click();
  const webhook = page.getByRole("dialog", { name: "Add a webhook" });
  await webhook.getByLabel("Address").fill("http://train.example/hooks");
  const refusal = await holdSent(page, "http://train.example/hooks");
  await webhook.getByRole("button", { name: "Add webhook" }).click();
  await refusal.isSent;
  await leaveBack(page);
  await expect(heading(page)).toHaveText("Usage");
  refusal.go();
  await expectToast(page, "That did not work");

  await goByLink(page, "API Keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const key = page.getByRole("dialog", { name: "Create an API key" });
  await key.getByLabel("Name").fill("Left behind");
  const answer = await holdSent(page, "Left behind");
  await key.getByRole("button", { name: "Create key" }).click();
  await answer.isSent;
  await leaveBack(page);
  await expect(heading(page)).toHaveText("Usage");
  answer.go();
  await expectToast(page, "Nobody saw the new key");
});

test("what is refused once its question is closed is said all the same", async ({ page, faults }) => {
  await page.goto("/panel/templates");
  await page.getByLabel("Template file").first().setInputFiles(LETTER);
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  const question = page.getByRole("alertdialog", { name: "Delete this template?" });
  /** Presses, and closes the question before its answer is there. @param refuse what becomes of the press then */
  const closeEarly = async (refuse: () => Promise<unknown>, close: () => Promise<unknown>) => {
    await page.getByRole("button", { name: "Delete" }).click();
    await question.getByRole("textbox").fill((await heading(page).textContent()) ?? "");
    // Whatever is sent: the look for whom the page is goes ahead of the act.
    const answer = await holdSent(page, "");
    await question.getByRole("button", { name: "Delete template" }).click();
    await answer.isSent;
    await close();
    await expect(question).toHaveCount(0);
    await refuse();
    answer.go();
  };
  await closeEarly(
    () => endSessions(person),
    () => question.getByRole("button", { name: "Cancel" }).click(),
  );
  await expectToast(page, "You are signed out");
  await page.unrouteAll({ behavior: "wait" });

  await page.route("**/panel/**", (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
  await closeEarly(
    async () => undefined,
    () => page.keyboard.press("Escape"),
  );
  await expectToast(page, "Nothing was changed: the server could not be reached");
  // The browser itself reports what did not answer.
  faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
});

test("what is refused while its form fades out is said all the same", async ({ page, context }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/panel/api-b2b/webhooks");
  await page.getByRole("button", { name: "Add webhook" }).first().click();
  const form = page.getByRole("dialog", { name: "Add a webhook" });
  await form.getByLabel("Address").fill("http://train.example/hooks");
  const answer = await holdSent(page, "http://train.example/hooks");
  await form.getByRole("button", { name: "Add webhook" }).click();
  await answer.isSent;
  const motion = await context.newCDPSession(page);
  await motion.send("Animation.enable");
  await motion.send("Animation.setPlaybackRate", { playbackRate: 0 });
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator("[data-exiting]")).not.toHaveCount(0);
  answer.go();
  await expectToast(page, "That did not work");
  // It fades out still: nothing else would have said so.
  await expect(page.locator("[data-exiting]")).not.toHaveCount(0);
  await motion.send("Animation.setPlaybackRate", { playbackRate: 1 });
  await expect(form).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
});

test("a webhook that is made once its dialog is closed shows its secret, and one whose page is left is said to be there", async ({
  page,
}) => {
  await page.goto("/panel/api-b2b/webhooks");
  const form = page.getByRole("dialog", { name: "Add a webhook" });
  const press = async (address: string) => {
    await page.getByRole("button", { name: "Add webhook" }).first().click();
    await form.getByLabel("Address").fill(address);
    const answer = await holdSent(page, address);
    await form.getByRole("button", { name: "Add webhook" }).click();
    await answer.isSent;
    return answer;
  };
  const closed = await press("https://train.example/closed");
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form).toHaveCount(0);
  closed.go();
  const made = page.getByRole("dialog", { name: "The webhook is on" });
  await expect(made).toContainText("whsec_");
  await made.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("row", { name: /train\.example\/closed/ })).toBeVisible();

  await goByLink(page, "Usage");
  await goByLink(page, "Webhooks");
  const left = await press("https://train.example/left");
  await leaveBack(page);
  await expect(heading(page)).toHaveText("Usage");
  left.go();
  await expectToast(page, "Webhook added");
});

test("another project is shown in the place where its reader is by then", async ({ page }) => {
  const name = "Second project";
  await prisma().project.create({
    data: { id: newId("project"), accountId: account.accountId, name, callbackSecretEncrypted: "x" },
  });
  await page.goto("/panel/templates");
  const switcher = page.getByRole("button", { name: /^Project/ });
  await switcher.click();
  const answer = await holdSent(page, "prj_");
  await page.getByRole("dialog", { name: "Switch the project" }).getByRole("button", { name }).click();
  await answer.isSent;
  await goByLink(page, "Usage");
  answer.go();
  await expect(switcher).toContainText(name);
  await expect(heading(page)).toHaveText("Usage");
});
