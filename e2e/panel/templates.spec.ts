import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { chooseByPath } from "@/e2e/support/choose-by-path";
import { gotoEditor, rewrite, untilEditor } from "@/e2e/support/editors";
import { expectToast, loseAnswers } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  endSessions,
  type PanelAccount,
  panelAccount,
  signInAgain,
  signInContext,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { pasteText } from "@/e2e/support/paste-text";
import { saveScreenshot } from "@/e2e/support/screenshots";
import { releaseModel, suite } from "@/e2e/support/suite";
import type { CreateTemplateBody } from "@/lib/contracts/template-records";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { MAX_MESSAGE_CHARACTERS } from "@/lib/domain/limits";
import { MAX_PROMPT_TEMPLATE_CHARACTERS } from "@/lib/domain/template-limits";
import { createTemplate } from "@/lib/services/templates/create-template";
import { deleteTemplate } from "@/lib/services/templates/delete-template";
import { getTemplate } from "@/lib/services/templates/get-template";
import { updateTemplate } from "@/lib/services/templates/update-template";

const PATH = "/panel/templates";
const HOSTILE = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;

let account: PanelAccount;
let owner: TestPerson;

test.beforeAll(async () => {
  account = await panelAccount();
  owner = await account.addPerson("owner");
});

test.beforeEach(({ context }) => signInContext(context, owner));

const make = (fields: Partial<CreateTemplateBody> = {}) =>
  createTemplate(account.principal, {
    name: "Invoice",
    promptTemplate: "Sum up {{what}} in {{language}}.",
    variables: { language: "English" },
    ...fields,
  });
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const text = (page: Page) => page.getByRole("textbox", { name: "Template text" });
const asked = (page: Page) => page.getByRole("region", { name: "Text of the call" });

const open = (page: Page, id: string) => gotoEditor(page, `${PATH}/${id}`);

test.describe("Templates", () => {
  test("are written as they are read, Arabic from the right, and JSON from the left whatever its names", async ({
    page,
  }) => {
    await gotoEditor(page, `${PATH}/new`);
    await rewrite(text(page), 'لخص النص {{what}}\n{\n  "الاسم": 1\n}\nIn English\n- قائمة');
    const lines = page.locator(".cm-line");
    await expect(lines).toHaveCount(6);
    const sides = await lines.evaluateAll((all) => all.map((line) => getComputedStyle(line).direction));
    expect(sides).toEqual(["rtl", "ltr", "ltr", "ltr", "ltr", "rtl"]);
    // The key goes where it points to.
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.insertText("!");
    await expect(lines.first()).toHaveText("ل!خص النص {{what}}");
    await saveScreenshot(page, "template-arabic", 1280, "light");
  });

  test("takes variables that are called as what every object has for variables like any other", async ({ page }) => {
    await gotoEditor(page, `${PATH}/new`);
    await rewrite(text(page), "Build {{constructor}} with {{__proto__}}");
    await expect(asked(page)).toHaveText("Build {{constructor}} with {{__proto__}}");
    await expect(page.getByLabel("Default of __proto__")).toHaveValue("");
    await expect(page.getByRole("button", { name: "Ask the AI" })).toBeDisabled();
    await page.getByRole("textbox", { name: "constructor", exact: true }).fill("a house");
    await expect(asked(page)).toHaveText("Build a house with {{__proto__}}");
  });

  test("makes one in the editor, with its variables found while it is written", async ({ page }) => {
    await page.goto(PATH);
    await page.getByRole("link", { name: "Create template" }).first().click();
    await untilEditor(page);
    await page.getByRole("textbox", { name: /^Name/ }).fill("Reply to a customer");
    await rewrite(text(page), "Answer {{customer}} in a {{ tone }} tone about {{größe}}. Not one: {{a b}}");
    await expect(page.locator(".cm-placeholder-name")).toHaveText(["{{customer}}", "{{ tone }}", "{{größe}}"]);
    await page.getByLabel("Default of tone").fill("friendly");
    await page.getByLabel("Tags").fill("support, v1, support");
    await page.getByRole("button", { name: "Create template" }).click();
    await expect(page).toHaveURL(/\/templates\/tpl_/);
    const made = await getTemplate(account.principal, page.url().split("/").at(-1) ?? "");
    expect(made).toMatchObject({
      name: "Reply to a customer",
      slug: "reply-to-a-customer",
      variables: { tone: "friendly" },
      tags: ["support", "v1"],
      version: 1,
    });
    await page.goto(PATH);
    await expect(row(page, "Reply to a customer")).toContainText("reply-to-a-customer");
  });

  test("says of what stands in braces and is no variable that the AI reads it so", async ({ page }) => {
    await gotoEditor(page, `${PATH}/new`);
    const hint = page.getByRole("status").filter({ hasText: "is no variable" });
    await rewrite(text(page), "Dear {{customer name}}, about {{what}}");
    await expect(hint).toContainText("{{customer name}} is no variable: the AI reads the text with the braces.");
    await expectWellMade(page, "template-no-variable");
    await rewrite(text(page), "Dear {{customer_name}}, about {{what}}");
    await expect(hint).toHaveCount(0);
  });

  test("keeps what is written, the caret and the focus, before and after the editor's code has come", async ({
    context,
  }) => {
    const { id } = await make({ promptTemplate: "Sum up {{what}}." });
    const page = await context.newPage();
    const scripts = await holdScripts(page);
    await page.goto(`${PATH}/${id}`, { waitUntil: "commit" });
    const field = page.locator("textarea[aria-label='Template text']");
    await field.press("End");
    await page.keyboard.type(" Kindly");
    await expect(field).toHaveValue("Sum up {{what}}. Kindly");
    scripts.release("all but the editor");
    await expect(page.getByText("Not saved yet")).toBeVisible();
    await expect(field).toBeFocused();
    await page.keyboard.type(", please");
    await page.keyboard.press("ArrowLeft");
    await expect(asked(page)).toContainText("Kindly, please");
    scripts.release("all");
    await expect(page.locator(".cm-content")).toBeFocused();
    await page.keyboard.type("X");
    await expect(text(page)).toHaveText("Sum up {{what}}. Kindly, pleasXe");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Saved as version 2")).toBeVisible();
    expect((await getTemplate(account.principal, id)).promptTemplate).toBe("Sum up {{what}}. Kindly, pleasXe");
    await page.close();
  });

  test("says that a paste was too long for it also before the editor's code has come", async ({ context }) => {
    const page = await context.newPage();
    const scripts = await holdScripts(page);
    scripts.release("all but the editor");
    await page.goto(`${PATH}/${(await make()).id}`);
    await page.locator("textarea[aria-label='Template text']").press("Delete");
    await expect(page.getByText("Not saved yet")).toBeVisible();
    await page.keyboard.press("ControlOrMeta+a");
    await pasteText(page, "word ".repeat(MAX_PROMPT_TEMPLATE_CHARACTERS / 5 + 1));
    const note = page.getByText("at most 100,000 characters fit, and the end of what you pasted was left out");
    await expect(note).toBeVisible();
    scripts.release("all");
    await expect(page.locator(".cm-content")).toBeFocused();
    await expect(note).toBeVisible();
    await page.keyboard.press("Backspace");
    await expect(note).toBeHidden();
    await page.close();
  });

  test("says that it takes no text that is too long, and takes the next one that is not", async ({ page }) => {
    await gotoEditor(page, `${PATH}/new`);
    await rewrite(text(page), "x".repeat(MAX_PROMPT_TEMPLATE_CHARACTERS + 1));
    const note = page.getByText("Not taken in: a text has at most 100,000 characters here.");
    await expect(note).toBeVisible();
    await rewrite(text(page), "Short enough");
    await expect(text(page)).toHaveText("Short enough");
    await expect(note).toBeHidden();
    await page.getByRole("textbox", { name: /^Message/ }).focus();
    await pasteText(page, "word ".repeat(MAX_MESSAGE_CHARACTERS / 5 + 1));
    await expect(page.locator("form").getByRole("alert")).toContainText("at most 100,000 characters fit");
  });

  test("shows what a call says, and names what it lacks", async ({ page }) => {
    const { id } = await make();
    await open(page, id);
    await expect(asked(page)).toHaveText("Sum up {{what}} in English.");
    await expect(page.getByText("Needs values for: what.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Ask the AI" })).toBeDisabled();
    await page.getByRole("textbox", { name: "what", exact: true }).fill("{{language}}");
    await page.getByRole("textbox", { name: /^Message/ }).fill("Please.");
    await expect(asked(page)).toHaveText("Sum up {{language}} in English.\n\nPlease.");
    await expect(page.getByRole("button", { name: "Ask the AI" })).toBeEnabled();
  });

  test("has the AI answer what stands in the editor, piece by piece, and says what it took", async ({ page }) => {
    const { id } = await make();
    await open(page, id);
    await rewrite(text(page), `[[answer:One **two** three]] [[hold:${id}]] [[chunk:4]] {{what}}`);
    await page.getByRole("textbox", { name: "what", exact: true }).fill("x");
    await page.getByRole("button", { name: "Ask the AI" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await expect(answer.getByText("Writing")).toBeVisible();
    await expect(answer.locator("strong")).toHaveCount(0);
    await releaseModel(id);
    await expect(answer.locator("strong")).toHaveText("two");
    await expect(answer.getByText(/\d+ tokens in, \d+ out, \d+ credits?/)).toBeVisible();
    const href = await answer.getByRole("link", { name: "See the session" }).getAttribute("href");
    const session = await prisma().session.findUniqueOrThrow({ where: { id: href?.split("/").at(-1) } });
    expect(session).toMatchObject({ projectId: account.projectId, lastOutput: "One **two** three", templateId: null });
    expect((await getTemplate(account.principal, id)).usageCount).toBe(0);
  });

  test("says that there is no connection while the answer is not reached, and shows it once it is", async ({
    page,
    faults,
  }) => {
    const { id } = await make({ promptTemplate: "[[answer:Reached]]", variables: {} });
    await open(page, id);
    await page.route("**/stream", (route) => route.abort());
    await page.getByRole("button", { name: "Ask the AI" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await expect(answer.getByRole("status")).toContainText("No connection just now");
    await page.unrouteAll();
    await expect(answer).toContainText("Reached");
    await expect(answer).not.toContainText("No connection");
    // The browser itself reports what did not answer.
    faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
  });

  test("says why the AI did not answer", async ({ page }) => {
    const { id } = await make({ promptTemplate: "[[fail:400]]", variables: {} });
    await open(page, id);
    await page.getByRole("button", { name: "Ask the AI" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await expect(answer.getByRole("link", { name: "See the session" })).toBeVisible();
    await expect(answer).not.toContainText("SECRET-PROVIDER-TEXT");
  });

  test("stays with the change when the session ends, and saves it once one is signed in again", async ({
    page,
    context,
  }) => {
    const person = await account.addPerson("owner");
    await signInContext(context, person);
    const { id } = await make();
    await open(page, id);
    await rewrite(text(page), "Sum up {{what}} in two lines.");
    await endSessions(person);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "You are signed out" })).toBeInViewport({ ratio: 1 });
    await signInAgain(page, person);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("You are signed out")).toHaveCount(0);
    await expect
      .poll(async () => (await getTemplate(account.principal, id)).promptTemplate)
      .toBe("Sum up {{what}} in two lines.");
  });

  test("keeps a change as a new version, and asks before an unsaved one is lost", async ({ page }) => {
    const { id } = await make();
    await open(page, id);
    await rewrite(text(page), "Shorter: {{what}}");
    await expect(page.getByText("Not saved yet")).toBeVisible();
    await page.getByRole("link", { name: "Versions" }).click();
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(text(page)).toHaveText("Shorter: {{what}}");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Saved as version 2")).toBeVisible();
    await expect(page.getByText("All saved")).toBeVisible();
    expect(await getTemplate(account.principal, id)).toMatchObject({ version: 2, promptTemplate: "Shorter: {{what}}" });
    await page.getByRole("link", { name: "Versions" }).click();
    await expect(page).toHaveURL(/tab=versions/);
    await expect(row(page, "current")).toContainText("Shorter");
  });

  test("leaves with the change dropped when the reader says so", async ({ page }) => {
    const { id } = await make();
    await open(page, id);
    await rewrite(text(page), "To be dropped");
    await page.getByRole("link", { name: "Templates" }).last().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
    await expect(page.getByRole("table", { name: "Templates" })).toBeVisible();
    expect((await getTemplate(account.principal, id)).version).toBe(1);
  });

  test("asks before another project or the end of the session takes an unsaved change away", async ({
    page,
    context,
  }) => {
    const own = await panelAccount();
    const name = "Second project";
    await prisma().project.create({
      data: { id: newId("project"), accountId: own.accountId, name, callbackSecretEncrypted: "x" },
    });
    await signInContext(context, await own.addPerson("owner"));
    await page.goto(`${PATH}/new`);
    await page.getByLabel("Name").fill("Half a thought");
    const switcher = page.getByRole("button", { name: /^Project/ });
    const choose = async () => {
      await switcher.click();
      await page.getByRole("dialog", { name: "Switch the project" }).getByRole("button", { name }).click();
    };
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await choose();
    await question.getByRole("button", { name: "Stay" }).click();
    await page.getByRole("button", { name: /^You: / }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(page.getByLabel("Name")).toHaveValue("Half a thought");
    await choose();
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(switcher).toContainText(name);
    await expect(page).toHaveURL(PATH);
  });

  test("says that somebody else saved meanwhile, shows the difference, and saves over it only when told to", async ({
    page,
  }) => {
    const { id } = await make();
    await open(page, id);
    await rewrite(text(page), "Mine {{what}}");
    await updateTemplate(account.principal, id, { promptTemplate: "Theirs {{what}}" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this template meanwhile" });
    const compared = question.getByRole("region", { name: "Text: theirs and yours" });
    await expect(compared.getByRole("row").filter({ hasText: "Theirs" }).getByRole("cell").first()).toHaveText("1");
    await expect(compared.getByRole("row").filter({ hasText: "Mine" }).getByRole("cell").nth(1)).toHaveText("1");
    expect((await getTemplate(account.principal, id)).promptTemplate).toBe("Theirs {{what}}");
    await question.getByRole("button", { name: "Save mine" }).click();
    await expect(page.getByText("Saved as version 3")).toBeVisible();
    expect((await getTemplate(account.principal, id)).promptTemplate).toBe("Mine {{what}}");
  });

  test("keeps as a new one what was written to one that somebody deleted meanwhile", async ({ page }) => {
    const { id } = await make({ name: "Gone" });
    await open(page, id);
    await rewrite(text(page), "Mine {{what}}");
    await deleteTemplate(account.principal, id);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Somebody deleted this template meanwhile" });
    await expectWellMade(page, "template-gone");
    await question.getByRole("button", { name: "Go on editing" }).click();
    await expect(text(page)).toHaveText("Mine {{what}}");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await question.getByRole("button", { name: "Create a new template" }).click();
    await expect(page).not.toHaveURL(`${PATH}/${id}`);
    await expect(page.getByText("All saved")).toBeVisible();
    const made = page.url().split("/").at(-1) ?? "";
    const kept = { name: "Gone", version: 1, promptTemplate: "Mine {{what}}", variables: { language: "English" } };
    expect(await getTemplate(account.principal, made)).toMatchObject(kept);
  });

  test("takes what somebody else saved", async ({ page }) => {
    const { id } = await make();
    await open(page, id);
    await rewrite(text(page), "Mine {{what}}");
    await updateTemplate(account.principal, id, { name: "Renamed", promptTemplate: "Theirs {{what}}" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Take theirs" }).click();
    await expect(text(page)).toHaveText("Theirs {{what}}");
    await expect(page.getByRole("textbox", { name: /^Name/ })).toHaveValue("Renamed");
    await expect(page.getByText("All saved")).toBeVisible();
  });

  test("lists a version by two lines of its text on a phone", async ({ page }) => {
    const { id } = await make();
    await updateTemplate(account.principal, id, { promptTemplate: `Write ${"more ".repeat(200)}` });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${PATH}/${id}?tab=versions`);
    const text = page.locator("bdi", { hasText: "Write more" });
    const lines = await text.evaluate(
      (element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
    );
    expect(Math.round(lines)).toBe(2);
    await expect(text).toHaveCSS("text-align", "start");
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("says above the button on a phone that it was saved", async ({ page }) => {
    const { id } = await make();
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, id);
    await rewrite(text(page), "Sum up {{what}} in two lines.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForFunction(() => {
      const toast = document.querySelector(".toast");
      const bar = document.querySelector("[data-form-bar]");
      return toast && bar && toast.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top;
    });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("compares versions and brings one back as a new one", async ({ page }) => {
    const { id } = await make();
    await updateTemplate(account.principal, id, { promptTemplate: "Second {{what}}", variables: { what: "it" } });
    await updateTemplate(account.principal, id, { promptTemplate: "Third {{what}}" });
    await page.goto(`${PATH}/${id}?tab=versions`);
    await page.getByRole("link", { name: "Version 2", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "Version 2" });
    await expect(panel.getByRole("row").filter({ hasText: "Sum up" })).toBeVisible();
    await expect(panel.getByRole("row").filter({ hasText: "what = it" })).toBeVisible();
    await panel.getByRole("link", { name: "From the current version 3" }).click();
    await expect(panel.getByRole("row").filter({ hasText: "Third" })).toBeVisible();
    await panel.getByRole("button", { name: "Restore this version" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
    await expect(page.getByText("Version 2 restored")).toBeVisible();
    expect(await getTemplate(account.principal, id)).toMatchObject({ version: 4, promptTemplate: "Second {{what}}" });
    await expect(page.getByRole("row").filter({ hasText: "current" })).toContainText("4");
  });

  test("makes one of a file, and says what is wrong with another", async ({ page }) => {
    await page.goto(PATH);
    const field = page.getByLabel("Template file").first();
    await field.setInputFiles({ name: "welcome.pdf", mimeType: "text/plain", buffer: Buffer.from("x") });
    await expect(page.getByText("file must be a .md or .txt file.")).toBeVisible();
    await field.setInputFiles({
      name: "Welcome mail.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("Hi {{who}}"),
    });
    await expect(page).toHaveURL(/\/templates\/tpl_/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome mail");
    await expect(text(page)).toHaveText("Hi {{who}}");
  });

  test("says of a folder that it cannot be read, and makes nothing of it", async ({ page }) => {
    const folder = await mkdtemp(join(tmpdir(), "chosen-"));
    await page.goto(PATH);
    await chooseByPath(page, page.getByLabel("Template file").first(), folder);
    await expectToast(page, "That file cannot be read");
    await rm(folder, { recursive: true });
  });

  test("finds by text and by tag, as the address says", async ({ page }) => {
    await make({ name: "Tagged one", tags: ["alpha"] });
    await make({ name: "Tagged two", tags: ["beta"] });
    await page.goto(`${PATH}?q=TAGGED&tag=alpha`);
    await expect(row(page, "Tagged one")).toBeVisible();
    await expect(row(page, "Tagged two")).toHaveCount(0);
    await page.getByRole("button", { name: "Remove the filter Tag" }).click();
    await expect(row(page, "Tagged two")).toBeVisible();
    await page.goto(`${PATH}?q=nothing-like-this`);
    await expect(page.getByText("Nothing found")).toBeVisible();
    // As after the last one of the second part was deleted.
    await page.goto(`${PATH}?q=TAGGED&offset=50`);
    await expect(row(page, "Tagged two")).toBeVisible();
  });

  test("shows how it is used", async ({ page }) => {
    const { id } = await make({ promptTemplate: "Used {{message}}" });
    await page.goto(`${PATH}/${id}?tab=use`);
    await expect(page.getByText("Not used yet")).toBeVisible();
    await useOnce(account, id);
    await page.goto(`${PATH}/${id}?tab=use`);
    await expect(page.getByRole("table", { name: "Sessions", exact: true })).toContainText("Used now");
    await expect(page.getByRole("link", { name: "Use 1" })).toBeVisible();
  });

  test("deletes when the name is typed", async ({ page }) => {
    const { id } = await make({ name: "To delete" });
    await open(page, id);
    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete this template?" });
    await expect(question.getByRole("button", { name: "Delete template" })).toBeDisabled();
    await question.getByRole("textbox").fill("To delete");
    await question.getByRole("button", { name: "Delete template" }).click();
    await expect(page.getByText("Template deleted")).toBeVisible();
    await expect(page).toHaveURL(PATH);
    await expect(row(page, "To delete")).toHaveCount(0);
  });

  test("lets members write, without a line too, and keeps deleting from them", async ({ page, context, faults }) => {
    const { id } = await make();
    await signInContext(context, await account.addPerson("member"));
    await open(page, id);
    await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
    await rewrite(text(page), "By a member");
    const save = page.getByRole("button", { name: "Save", exact: true });
    await context.setOffline(true);
    await save.press("Enter");
    await expect(page.getByText("Nothing was changed: the server could not be reached.")).toBeVisible();
    await context.setOffline(false);
    await save.press("Enter");
    await expect(page.getByText("Saved as version 2")).toBeVisible();
    await expect(page.getByText("The server could not be reached.")).toHaveCount(0);
    // Nothing is left to save, yet the keyboard goes on from here; pressed again it makes no version.
    await expect(save).toBeDisabled();
    await expect(save).toBeFocused();
    await page.keyboard.press("Enter");
    expect((await getTemplate(account.principal, id)).version).toBe(2);
    // The browser itself reports what it could not send.
    faults.errors = faults.errors.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"));
  });

  test("says of a save that was sent and got no answer that it is not known what became of it", async ({
    page,
    faults,
  }) => {
    const { id } = await make();
    await open(page, id);
    await rewrite(text(page), "Sent into the dark");
    await loseAnswers(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "It is not known whether anything changed");
    // What the page asks for by itself meanwhile has come back too.
    await page.unrouteAll({ behavior: "wait" });
    // It was saved, by nobody else.
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "Saved as version 2");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect((await getTemplate(account.principal, id)).version).toBe(2);
    // The browser itself reports what did not answer.
    faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
  });

  test("shows nothing of another company's template", async ({ page, faults }) => {
    const theirs = await panelAccount();
    const { id } = await createTemplate(theirs.principal, { name: "Secret plan", promptTemplate: "x" });
    for (const query of ["", "?tab=versions&version=1", "?tab=use"]) {
      await page.goto(`${PATH}/${id}${query}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
      expect(await page.content()).not.toContain("Secret plan");
    }
    // The browser notes a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
  });

  test("shows hostile names, texts and answers as text", async ({ page }) => {
    const { id } = await make({
      name: HOSTILE,
      promptTemplate: `[[answer:<img src=x onerror=window.hacked=1> [go](javascript:window.hacked=1) ![p](https://evil.test/p.png)]]${HOSTILE}`,
      description: HOSTILE,
      tags: [HOSTILE],
      variables: { language: HOSTILE },
    });
    await page.goto(PATH);
    await expect(row(page, "<img src=x").first()).toBeVisible();
    await open(page, id);
    await page.getByRole("button", { name: "Ask the AI" }).click();
    await expect(page.getByRole("region", { name: "Answer" }).getByText(/tokens in/)).toBeVisible();
    await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
    await page.goto(`${PATH}/${id}?tab=versions&version=1`);
    await expect(page.getByRole("dialog")).toContainText("<script>");
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await prisma().template.delete({ where: { id } });
  });

  test("does not have the AI work for a company that is not verified", async ({ page, context }) => {
    const waiting = await panelAccount();
    await prisma().account.update({ where: { id: waiting.accountId }, data: { verificationStatus: "pending" } });
    const { id } = await createTemplate(waiting.principal, { name: "Early", promptTemplate: "x" });
    await signInContext(context, await waiting.addPerson("owner"));
    await open(page, id);
    await expect(page.getByText("The AI answers once your company is verified.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Ask the AI" })).toBeDisabled();
  });

  test("says of an account that is suspended meanwhile that it is: it was verified", async ({ page, context }) => {
    const blamed = await panelAccount();
    const { id } = await createTemplate(blamed.principal, { name: "Late", promptTemplate: "x" });
    await signInContext(context, await blamed.addPerson("owner"));
    await open(page, id);
    await prisma().account.update({ where: { id: blamed.accountId }, data: { verificationStatus: "suspended" } });
    await page.getByRole("button", { name: "Ask the AI" }).click();
    const words = "The account is suspended: the AI answers again once that ends.";
    await expectToast(page, words);
    expect(await prisma().session.count({ where: { projectId: blamed.projectId } })).toBe(0);
    await open(page, id);
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByRole("button", { name: "Ask the AI" })).toBeDisabled();
  });

  test("works by keyboard alone", async ({ page }) => {
    await gotoEditor(page, `${PATH}/new`);
    await expect(page.getByRole("textbox", { name: /^Name/ })).toBeFocused();
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Tab");
    await expect(text(page)).toBeFocused();
    await page.keyboard.type("Say {{what}}");
    await page.keyboard.press("Tab");
    await expect(page.getByLabel("Default of what")).toBeFocused();
    await page.getByRole("button", { name: "Create template" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("By keyboard");
  });

  test("is well made: the list, the editor, a version, its use, empty, and a new one", async ({ page, context }) => {
    const staged = await panelAccount();
    await stage(staged);
    await signInContext(context, await staged.addPerson("owner"));
    await page.goto(PATH);
    await expectWellMade(page, "templates");
    await page.getByRole("link", { name: "Template Invoice summary" }).click();
    await untilEditor(page);
    await page
      .getByRole("textbox", { name: "invoice", exact: true })
      .fill("Invoice 2026-0117, Acme GmbH, 1,204.50 EUR");
    await page.getByRole("button", { name: "Ask the AI" }).click();
    await expect(page.getByText(/tokens in/)).toBeVisible();
    await expectWellMade(page, "template");
    await text(page).press("ControlOrMeta+f");
    await expect(page.getByRole("textbox", { name: "Find", exact: true })).toBeFocused();
    await expectWellMade(page, "template-find");
    const address = page.url();
    await page.goto(`${address}?tab=versions&version=2`);
    await expect(page.getByRole("dialog", { name: "Version 2" })).toBeVisible();
    await expectWellMade(page, "template-version");
    await useOnce(staged, address.split("/").at(-1) ?? "");
    await page.goto(`${address}?tab=use`);
    await expectWellMade(page, "template-use");
    const fresh = await panelAccount();
    await signInContext(context, await fresh.addPerson("owner"));
    await page.goto(PATH);
    await expect(page.getByText("No templates yet")).toBeVisible();
    await expectWellMade(page, "templates-empty");
    await gotoEditor(page, `${PATH}/new`);
    await expectWellMade(page, "template-new");
  });
});

/** Keeps the page's scripts back until they are released; the editor's are those that have its class names in them. */
async function holdScripts(page: Page) {
  const all = Promise.withResolvers<void>();
  const others = Promise.withResolvers<void>();
  await page.route("**/_next/**/*.js*", async (route) => {
    const response = await route.fetch();
    await ((await response.text()).includes("cm-placeholder-name") ? all.promise : others.promise);
    await route.fulfill({ response });
  });
  return {
    release(which: "all" | "all but the editor") {
      others.resolve();
      if (which === "all") all.resolve();
    },
  };
}

/** One call of the API with the template. */
async function useOnce({ apiKey }: PanelAccount, templateId: string) {
  const body = { templateId, message: "now", templateVars: { invoice: "No. 7" } };
  expect((await apiClient(suite.url, apiKey).post("/chat", body)).status).toBe(202);
}

/** An account as one looks after some weeks. */
async function stage({ principal }: PanelAccount) {
  const create = (name: string, promptTemplate: string, more: Partial<CreateTemplateBody> = {}) =>
    createTemplate(principal, { name, promptTemplate, ...more });
  await create("Translate a letter", "Translate into {{language}}, keep the tone:\n\n{{message}}", {
    tags: ["letters"],
  });
  await create("Answer a complaint", "Answer this complaint kindly and name the next step.\n\n{{message}}", {
    tags: ["support", "v3"],
    variables: { tone: "kind" },
  });
  const { id } = await create("Invoice summary", "Sum up {{invoice}}.", { tags: ["invoices", "v1"] });
  await updateTemplate(principal, id, {
    promptTemplate: "# Task\n\nSum up {{invoice}} in {{language}}.\n\n**At most** {{sentences}} sentences.",
    variables: { language: "English", sentences: "3" },
    description: "For the accounting team: what came in, from whom, until when it is to be paid.",
  });
  await updateTemplate(principal, id, {
    promptTemplate:
      "# Task\n\nSum up {{invoice}} in {{language}}.\n\n**At most** {{sentences}} sentences. Name the sum and the date due.",
  });
}
