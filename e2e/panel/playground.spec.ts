import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { chooseByPath } from "@/e2e/support/choose-by-path";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { saveScreenshot } from "@/e2e/support/screenshots";
import { modelJournal, releaseModel, suite } from "@/e2e/support/suite";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground } from "@/lib/contracts/playground";
import { prisma } from "@/lib/db/prisma";

const PATH = "/panel/playground";
const HOSTILE = `<img src=x onerror="window.__xss=1">"><script>window.__xss=1</script>`;

const own = usePanelOwner();

const form = (page: Page) => page.getByRole("form", { name: "The call" });
const field = (page: Page, name: string) => form(page).getByRole("textbox", { name, exact: true });
const answer = (page: Page) => page.getByRole("region", { name: "Answer" });
const code = (page: Page) => page.getByRole("region", { name: "The same call as code" });

async function openWithKey(page: Page, query = ""): Promise<void> {
  await page.goto(PATH + query);
  await form(page).getByLabel("API key").fill(own.account.apiKey);
}

async function send(page: Page): Promise<void> {
  await form(page).getByRole("button", { name: "Send", exact: true }).click();
}

/** Runs in the page. Whether what has the focus is not below anything, such as the bar at the form's end. */
function seesFocused(): boolean {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return false;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const upper = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return focused.contains(upper) || focused.closest("label")?.contains(upper) === true;
}

test.describe("the playground", () => {
  test("sends a chat message and shows the AI's answer as it is streamed", async ({ page }) => {
    await openWithKey(page);
    await field(page, "message").fill("A word from the playground");
    await send(page);
    await expect(answer(page)).toContainText("Status 202");
    await expect(answer(page)).toContainText("Echo: A word from the playground");
    await expect(answer(page)).toContainText("Done");
    await answer(page).getByText("Events as they came").click();
    await expect(answer(page)).toContainText("event: completed");
    await expect(answer(page).getByRole("link", { name: "See the session" })).toHaveAttribute(
      "href",
      /^\/panel\/sessions\/ses_/,
    );
  });

  test("goes on with a session that its page leads from, as the end user whose it is", async ({ page }) => {
    const api = apiClient(suite.url, own.account.apiKey);
    const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Once", endUserId: "goes-on" });
    await api.waitUntilDone(`/chat/${body.sessionId}`);
    await page.goto(`/panel/sessions/${body.sessionId}`);
    await page.getByRole("link", { name: "Continue in the playground" }).click();
    await expect(field(page, "sessionId")).toHaveValue(body.sessionId);
    await expect(field(page, "endUserId")).toHaveValue("goes-on");
    await form(page).getByLabel("API key").fill(own.account.apiKey);
    await field(page, "message").fill("And once more");
    await send(page);
    await expect(answer(page)).toContainText('status:"resumed"');
    await expect(answer(page)).toContainText("Echo: And once more");
  });

  test("tries again what got no answer, by its schema and with the file that came along", async ({ page }) => {
    const api = apiClient(suite.url, own.account.apiKey);
    const file = new File(["The harbour has four horses."], "harbour.txt", { type: "text/plain" });
    const prompt = `How many are there? ${"Count them. ".repeat(200)}[[hold:horses]] [[answer:{"horses": 4}]]`;
    const outputSchema = '{"type":"object","properties":{"horses":{"type":"integer"}}}';
    const { body } = await api.upload<{ sessionId: string }>("/process", { file, prompt, outputSchema });
    const asked = async () => {
      const requests = (await modelJournal()).filter(({ body: sent }) => JSON.stringify(sent).includes("four horses"));
      return requests.map(({ outcome }) => outcome);
    };
    await expect.poll(asked).toEqual(["open"]);
    await api.post(`/process/${body.sessionId}/cancel`, {});
    await releaseModel("horses");
    await page.goto(`/panel/sessions/${body.sessionId}`);
    await page.getByRole("link", { name: "Change it in the playground" }).click();
    await expect(field(page, "message")).toHaveValue(prompt);
    await expect(field(page, "outputSchema")).toHaveValue(outputSchema);
    await form(page).getByLabel("API key").fill(own.account.apiKey);
    await send(page);
    await expect(answer(page)).toContainText("Done");
    const done = await api.waitUntilDone(`/process/${body.sessionId}`);
    expect(done).toMatchObject({ status: "completed", output: '{"horses": 4}' });
    expect((await asked()).slice(1)).toEqual(["answered"]);
    await page.reload();
    await expect(field(page, "sessionId")).toHaveValue(body.sessionId);
    await expect(field(page, "message")).toHaveValue("");
    await page.goto(`/panel/sessions/${body.sessionId}`);
    await expect(page.getByRole("link", { name: "Continue in the playground" })).toBeVisible();
  });

  test("makes one call of two presses of Enter, also when the first has its answer and its turn still runs", async ({
    page,
  }) => {
    const own = await panelAccount();
    await page.goto(PATH);
    await form(page).getByLabel("API key").fill(own.apiKey);
    await field(page, "message").fill(`[[hold:${own.projectId}]] once`);
    const endUser = field(page, "endUserId");
    await endUser.press("Enter");
    await endUser.press("Enter");
    await expect(answer(page)).toContainText("Status 202");
    await endUser.press("Enter");
    await releaseModel(own.projectId);
    await expect(answer(page)).toContainText("Done");
    expect(await prisma().session.count({ where: { projectId: own.projectId } })).toBe(1);
  });

  test("sends files, and follows what becomes of them", async ({ page }) => {
    await openWithKey(page, "?endpoint=startProcess");
    await field(page, "prompt").fill("Say it back");
    const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("what the file says") };
    await form(page).locator("input[type=file]").setInputFiles(file);
    await send(page);
    await expect(answer(page)).toContainText("Status 202");
    await expect(answer(page)).toContainText("Done");
    await expect(code(page)).toContainText(`-F 'file=@"notes.txt"'`);
  });

  test("leads from a batch to all its sessions in a list, by each of their files", async ({ page }) => {
    await openWithKey(page, "?endpoint=startBatch");
    await field(page, "prompt").fill("Say it back");
    const files = ["one.txt", "two.txt"].map((name) => ({ name, mimeType: "text/plain", buffer: Buffer.from(name) }));
    await form(page).locator("input[type=file]").setInputFiles(files);
    await send(page);
    await answer(page).getByRole("link", { name: "All in a list" }).click();
    await expect(page).toHaveURL(/panel\/sessions\?q=req_/);
    const rows = page.getByRole("row");
    // The log of calls, which knows the batch, is written a moment later.
    await expect(async () => {
      await page.reload();
      await expect(rows).toHaveCount(3, { timeout: 2_000 });
    }).toPass();
    for (const { name } of files) await expect(rows.filter({ hasText: name })).toBeVisible();
  });

  test("reads JSON from the left, also where it begins with an Arabic name", async ({ page }) => {
    await openWithKey(page);
    const variables = field(page, "templateVars");
    await variables.fill('{ "اسم": "ليلى" }');
    expect(await variables.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
  });

  test("shows a name in Arabic before its value in Arabic", async ({ page }) => {
    const template = { name: "Greeting", promptTemplate: "{{اسم}}", variables: { اسم: "ليلى" } };
    const { body } = await apiClient(suite.url, own.account.apiKey).post<{ id: string }>("/templates", template);
    await openWithKey(page, `?endpoint=getTemplate&path.id=${body.id}`);
    await send(page);
    const name = answer(page).getByText("اسم:", { exact: true });
    const value = answer(page).getByText('"ليلى"', { exact: true });
    await expect(value).toBeVisible();
    const [nameBox, valueBox] = await Promise.all([name.boundingBox(), value.boundingBox()]);
    expect(nameBox?.x).toBeLessThan(valueBox?.x ?? 0);
  });

  test("shows what the API refuses, with its words and headers", async ({ page, faults }) => {
    await openWithKey(page, `?endpoint=getTemplate&path.id=tpl_nowhere`);
    await send(page);
    await expect(answer(page)).toContainText("Status 404");
    await expect(answer(page)).toContainText("NOT_FOUND");
    await answer(page).getByText("Response headers").click();
    await expect(answer(page)).toContainText("x-request-id");
    await form(page).getByLabel("API key").fill("");
    await send(page);
    await expect(answer(page)).toContainText("MISSING_API_KEY");
    // The browser notes refused calls down by itself.
    expect(faults.errors.splice(0).every((text) => text.includes("Failed to load resource"))).toBe(true);
  });

  test("says why no answer came: what no header carries, and the reader's own stop", async ({ page }) => {
    await openWithKey(page);
    await field(page, "Idempotency-Key").fill("order № 7");
    await send(page);
    await expect(answer(page)).toContainText("a character that headers cannot carry");
    await field(page, "Idempotency-Key").fill("");
    await page.route("**/api/v1/chat", () => {});
    await send(page);
    await form(page).getByRole("button", { name: "Stop" }).press("Enter");
    // It is gone then.
    await expect(form(page).getByRole("button", { name: "Send", exact: true })).toBeFocused();
    await expect(answer(page)).toContainText("You stopped it");
    await page.unrouteAll();
  });

  test("says of a file that was saved anew after it was chosen that it has to be chosen again", async ({
    page,
    faults,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "chosen-"));
    const path = join(folder, "prices.csv");
    const file = form(page).locator("input[type=file]");
    await writeFile(path, "item,price\ntea,3\n");
    // Browsers compare the times of files by the second.
    await utimes(path, new Date("2026-01-01"), new Date("2026-01-01"));
    await openWithKey(page, "?endpoint=startProcess");
    await field(page, "prompt").fill("Which item costs more?");
    await file.setInputFiles(path);
    await send(page);
    await expect(answer(page)).toContainText("Done");
    await writeFile(path, "item,price\ntea,3\ncake,5\n");
    await send(page);
    await expect(answer(page)).toContainText("a file cannot be read");
    await chooseByPath(page, file, path);
    await send(page);
    await expect(answer(page)).toContainText("Status 202");
    await rm(folder, { recursive: true });
    faults.errors = faults.errors.filter((text) => !text.includes("ERR_UPLOAD_FILE_CHANGED"));
  });

  test("asks for a quote instead of the work, and charges nothing", async ({ page }) => {
    await openWithKey(page);
    const before = await prisma().session.count({ where: { projectId: own.account.projectId } });
    await form(page).getByRole("switch", { name: "dryRun" }).click({ force: true });
    await send(page);
    await expect(answer(page)).toContainText("creditsEstimate");
    await expect(page).toHaveURL(/query\.dryRun=true/);
    expect(await prisma().session.count({ where: { projectId: own.account.projectId } })).toBe(before);
  });

  test("sends an Idempotency-Key, and the second answer says that it is the first", async ({ page }) => {
    await openWithKey(page);
    await field(page, "Idempotency-Key").fill("playground-1");
    await send(page);
    await expect(answer(page)).toContainText("Done");
    await send(page);
    await answer(page).getByText("Response headers").click();
    await expect(answer(page)).toContainText("idempotent-replayed");
  });

  test("keeps endpoint and fields in the address, and the key nowhere", async ({ page, context }) => {
    await openWithKey(page);
    await field(page, "message").fill(HOSTILE);
    await send(page);
    await expect(answer(page)).toContainText("Done");
    const address = page.url();
    expect(address).not.toContain(own.account.apiKey);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toContain(own.account.apiKey);
    expect(JSON.stringify(await context.cookies())).not.toContain(own.account.apiKey);
    await page.goto(address);
    await expect(field(page, "message")).toHaveValue(HOSTILE);
    await expect(form(page).getByLabel("API key")).toHaveValue("");
    expect(await page.content()).not.toContain(own.account.apiKey);
    expect(await page.evaluate(() => "__xss" in window)).toBe(false);
  });

  test("brings back an earlier call of this tab with its answer", async ({ page }) => {
    await openWithKey(page, "?endpoint=getAccount");
    await send(page);
    await expect(answer(page)).toContainText("companyName");
    await page.goto(`${PATH}?endpoint=getHealth`);
    await send(page);
    await expect(answer(page)).toContainText("Status 200");
    await form(page)
      .getByRole("button", { name: /Endpoint/ })
      .click();
    await page.getByRole("option", { name: /^GET \/docs/ }).click();
    await expect(page).toHaveURL(/endpoint=getDocs/);
    await page.getByRole("region", { name: "Calls of this tab" }).getByRole("button").first().click();
    await expect(page).toHaveURL(/endpoint=getHealth/);
    await expect(answer(page)).toContainText("version");
  });

  test("makes a key that ends within the hour, for those who may make keys", async ({ page, context }) => {
    await page.goto(`${PATH}?endpoint=getAccount`);
    await form(page).getByRole("button", { name: "Make a key for one hour" }).click();
    await expect(form(page).getByLabel("API key")).toHaveValue(/^bld_/);
    await send(page);
    await expect(answer(page)).toContainText("Status 200");
    const made = await prisma().apiKey.findFirstOrThrow({
      where: { projectId: own.account.projectId, name: "Playground" },
    });
    expect((made.expiresAt?.getTime() ?? 0) - made.createdAt.getTime()).toBeLessThanOrEqual(3_600_000);
    await signInContext(context, await own.account.addPerson("member"));
    await page.goto(PATH);
    await expect(form(page).getByLabel("API key")).toBeVisible();
    await expect(page.getByRole("button", { name: "Make a key" })).toHaveCount(0);
  });

  test("says of the key that it made when that has ended, and makes another", async ({ page, faults }) => {
    await page.goto(`${PATH}?endpoint=getAccount`);
    const make = form(page).getByRole("button", { name: "Make a key for one hour" });
    await make.click();
    await expect(form(page).getByLabel("API key")).toHaveValue(/^bld_/);
    // As when a browser of theirs is signed out.
    const isMade = { projectId: own.account.projectId, name: "Playground" };
    await prisma().apiKey.updateMany({ where: isMade, data: { revokedAt: new Date() } });
    await send(page);
    await expect(answer(page)).toContainText("Status 401");
    await expect(form(page).getByRole("strong")).toContainText("This key takes no calls any more");
    await expectWellMade(page, "playground-refused");
    // The browser's own word on the 401.
    expect(faults.errors.splice(0).every((text) => text.includes("Failed to load resource"))).toBe(true);
    await make.click();
    await expect(form(page)).not.toContainText("This key takes no calls any more");
    await send(page);
    await expect(answer(page)).toContainText("Status 200");
  });

  test("says of a key that is refused, or is missing, what to do next", async ({ page, faults }) => {
    await page.goto(`${PATH}?endpoint=getAccount`);
    await send(page);
    await expect(form(page).getByRole("strong")).toContainText("The call went without a key");
    await form(page).getByLabel("API key").fill("bld_mistyped");
    await expect(form(page).getByRole("strong")).toHaveCount(0);
    await send(page);
    await expect(form(page).getByRole("strong")).toContainText("The API does not take this key");
    await form(page).getByLabel("API key").fill(own.account.apiKey);
    await send(page);
    await expect(answer(page)).toContainText("Status 200");
    await expect(form(page).getByRole("strong")).toHaveCount(0);
    // The browser's own word on each 401.
    expect(faults.errors.splice(0).every((text) => text.includes("Failed to load resource"))).toBe(true);
  });

  test("says before verification why no key can be made", async ({ page, context }) => {
    const waiting = await panelAccount();
    await prisma().account.update({ where: { id: waiting.accountId }, data: { verificationStatus: "unsubmitted" } });
    await signInContext(context, await waiting.addPerson("owner"));
    await page.goto(PATH);
    await expect(form(page).getByText("Verify your company first")).toBeVisible();
    await expect(page.getByRole("button", { name: "Make a key" })).toHaveCount(0);
    await expectWellMade(page, "playground-unverified");
  });

  test("has a form and the code for every endpoint", async ({ page }) => {
    const endpoints = describeForPlayground(ENDPOINTS);
    for (const { id, name, path, fields } of endpoints) {
      await page.goto(`${PATH}?endpoint=${id}`);
      await expect(form(page).getByRole("button", { name: /Endpoint/ })).toContainText(name);
      await expect(code(page)).toContainText(path.split("/:")[0] ?? path);
      for (const field of fields.filter(({ isRequired }) => isRequired)) {
        await expect(form(page).getByLabel(`${field.name} (required)`)).toBeVisible();
      }
    }
  });

  test("works by keyboard alone", async ({ page }) => {
    await page.goto(PATH);
    await form(page).getByLabel("message", { exact: true }).focus();
    for (let fields = 0; fields < 8; fields += 1) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate(seesFocused)).toBe(true);
    }
    const endpoint = form(page).getByRole("button", { name: /Endpoint/ });
    await endpoint.press("Enter");
    await expect(page.getByRole("listbox")).toBeVisible();
    await page.keyboard.type("GET /account");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/endpoint=getAccount/);
    await expect(endpoint).toBeFocused();
    await openWithKey(page, "?endpoint=getAccount");
    await form(page).getByLabel("API key").press("Enter");
    await expect(answer(page)).toContainText("Status 200");
  });

  test("brings the answer before the eyes of who sends from far down in the form, beside which it stands", async ({
    page,
  }) => {
    const heading = answer(page).getByRole("heading", { name: "Answer" });
    await page.setViewportSize({ width: 1280, height: 500 });
    await openWithKey(page);
    await expect(heading).toBeInViewport();
    await page.mouse.move(300, 300);
    await expect(async () => {
      await page.mouse.wheel(0, 5_000);
      await expect(heading).not.toBeInViewport({ timeout: 200 });
    }).toPass();
    await send(page);
    await expect(heading).toBeInViewport();
    await expect(answer(page).getByText("Status 202", { exact: true })).toBeInViewport();
    await expect(form(page).getByRole("button", { name: "Send", exact: true })).toBeFocused();
  });

  test("brings the answer before the eyes of who sends from a phone, and leaves a wide page where it is", async ({
    page,
  }) => {
    const heading = answer(page).getByRole("heading", { name: "Answer" });
    await openWithKey(page, "?endpoint=getAccount");
    await send(page);
    await expect(answer(page)).toContainText("Status 200");
    await expect(heading).not.toBeFocused();
    await page.setViewportSize({ width: 390, height: 844 });
    await openWithKey(page);
    await expect(heading).not.toBeInViewport();
    await send(page);
    await expect(heading).toBeInViewport();
    await expect(heading).toBeFocused();
    await expect(answer(page).getByText("Status 202", { exact: true })).toBeInViewport();
    await saveScreenshot(page, "playground-answer", 390, "light");
  });

  test("is well made, at first and with an answer", async ({ page }) => {
    await openWithKey(page);
    await expectWellMade(page, "playground-empty");
    const choice = form(page).getByRole("button", { name: /Endpoint$/ });
    await choice.click();
    const [field, choices] = await Promise.all([choice, page.getByRole("listbox")].map((part) => part.boundingBox()));
    expect(choices?.width, "beside the field nothing is covered").toBeLessThanOrEqual(field?.width ?? 0);
    await page.keyboard.press("Escape");
    await send(page);
    await expect(answer(page)).toContainText("Done");
    await expectWellMade(page, "playground");
    await page.goto(`${PATH}?endpoint=startProcess`);
    await expectWellMade(page, "playground-process");
  });
});
