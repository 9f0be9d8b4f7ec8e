import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { chooseByPath } from "@/e2e/support/choose-by-path";
import { gotoEditor, rewrite, untilEditor } from "@/e2e/support/editors";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { type PanelAccount, panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { open, row, TEMPLATES, text, useTemplateOwner } from "@/e2e/support/panel-templates";
import { suite } from "@/e2e/support/suite";
import type { CreateTemplateBody } from "@/lib/contracts/template-records";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createTemplate } from "@/lib/services/templates/create-template";
import { getTemplate } from "@/lib/services/templates/get-template";
import { releaseTemplateVersion } from "@/lib/services/templates/release-template-version";
import { renderForCall } from "@/lib/services/templates/render-for-call";
import { updateTemplate } from "@/lib/services/templates/update-template";

const HOSTILE = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;

const own = useTemplateOwner();

test.describe("Templates", () => {
  test("makes one in the editor, with its variables found while it is written", async ({ page }) => {
    await page.goto(TEMPLATES);
    await page.getByRole("link", { name: "Create template" }).first().click();
    await untilEditor(page);
    await page.getByRole("textbox", { name: /^Name/ }).fill("Reply to a customer");
    await rewrite(text(page), "Answer {{customer}} in a {{ tone }} tone about {{größe}}. Not one: {{a b}}");
    await expect(page.locator(".cm-placeholder-name")).toHaveText(["{{customer}}", "{{ tone }}", "{{größe}}"]);
    await page.getByLabel("Default of tone").fill("friendly");
    await page.getByLabel("Tags").fill("support, v1, support");
    await page.getByRole("button", { name: "Create template" }).click();
    await expect(page).toHaveURL(/\/templates\/tpl_/);
    const made = await getTemplate(own.account.principal, page.url().split("/").at(-1) ?? "");
    expect(made).toMatchObject({
      name: "Reply to a customer",
      slug: "reply-to-a-customer",
      variables: { tone: "friendly" },
      tags: ["support", "v1"],
      version: 1,
    });
    await page.goto(TEMPLATES);
    await expect(row(page, "Reply to a customer")).toContainText("reply-to-a-customer");
  });

  test("lists a version by two lines of its text on a phone", async ({ page }) => {
    const { id } = await own.make();
    await updateTemplate(own.account.principal, id, { promptTemplate: `Write ${"more ".repeat(200)}` });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${TEMPLATES}/${id}?tab=versions`);
    const text = page.locator("bdi", { hasText: "Write more" });
    const lines = await text.evaluate(
      (element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
    );
    expect(Math.round(lines)).toBe(2);
    await expect(text).toHaveCSS("text-align", "start");
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("compares versions and brings one back as a new one", async ({ page }) => {
    const { id } = await own.make();
    await updateTemplate(own.account.principal, id, { promptTemplate: "Second {{what}}", variables: { what: "it" } });
    await updateTemplate(own.account.principal, id, { promptTemplate: "Third {{what}}" });
    await page.goto(`${TEMPLATES}/${id}?tab=versions`);
    await page.getByRole("link", { name: "Version 2", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "Version 2" });
    await expect(panel.getByRole("row").filter({ hasText: "Sum up" })).toBeVisible();
    await expect(panel.getByRole("row").filter({ hasText: "what = it" })).toBeVisible();
    await panel.getByRole("link", { name: "From the current version 3" }).click();
    await expect(panel.getByRole("row").filter({ hasText: "Third" })).toBeVisible();
    await panel.getByRole("button", { name: "Restore this version" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
    await expectToast(page, "Version 2 restored");
    expect(await getTemplate(own.account.principal, id)).toMatchObject({
      version: 4,
      promptTemplate: "Second {{what}}",
    });
    await expect(page.getByRole("row").filter({ hasText: "current" })).toContainText("4");
  });

  test("has calls use the version that is chosen, whatever is saved later, until it is released", async ({ page }) => {
    const { account } = own;
    const { id } = await own.make({ name: "Released", promptTemplate: "First" });
    const whatCallsUse = async () => {
      const call = { templateId: id, inputNames: ["message"] as const, isInputKept: false };
      return (await renderForCall(account.principal, call)).text;
    };
    await page.goto(`${TEMPLATES}/${id}?tab=versions`);
    await expect(page.getByText("Calls use the newest version from the moment it is saved.")).toBeVisible();
    await page.getByRole("link", { name: "Version 1", exact: true }).click();
    const opened = page.getByRole("dialog", { name: "Version 1" });
    await opened.getByRole("button", { name: "Let calls use this version" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: "Let calls use it" }).click();
    await expectToast(page, "Calls use version 1");
    await expect(opened.getByText("Calls use it.")).toBeVisible();

    await open(page, id);
    await rewrite(text(page), "Second");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const state = page.getByRole("region", { name: "What calls use" });
    await expect(state).toContainText("Calls use version 1. What was saved since, up to version 2, waits");
    expect(await whatCallsUse()).toBe("First");
    await expectWellMade(page, "template-held");
    await page.goto(`${TEMPLATES}/${id}?tab=versions&version=1`);
    await expect(page.getByRole("row").filter({ hasText: "used by calls" })).toContainText("First");
    await expectWellMade(page, "template-held-versions");
    await page.goto(TEMPLATES);
    await expect(row(page, "Released")).toContainText("2, calls use 1");

    await open(page, id);
    await state.getByRole("button", { name: "Release version 2" }).click();
    await question.getByRole("button", { name: "Let calls use it" }).click();
    await expect(state).toContainText("Calls use version 2. What is saved from here on waits");
    expect(await whatCallsUse()).toBe("Second");
    await state.getByRole("button", { name: "Follow the newest" }).click();
    await question.getByRole("button", { name: "Follow the newest" }).click();
    await expectToast(page, "Calls use the newest version");
    await expect(state).toHaveCount(0);
    expect(await getTemplate(account.principal, id)).not.toHaveProperty("liveVersion");
  });

  test("has calls use no other version where somebody else chose one meanwhile, and says which", async ({ page }) => {
    const { account } = own;
    const { id } = await own.make({ name: "Chosen by two", promptTemplate: "First" });
    await updateTemplate(account, id, { promptTemplate: "Second" });
    const choose = (version: number | null) => releaseTemplateVersion(account, id, { version }, OPERATOR);
    await choose(2);
    await open(page, id);
    const state = page.getByRole("region", { name: "What calls use" });
    await state.getByRole("button", { name: "Follow the newest" }).click();
    await choose(1);
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: "Follow the newest" }).click();
    await expectToast(page, "Nothing was changed: version 1 was chosen by somebody else meanwhile");
    expect(await getTemplate(account.principal, id)).toMatchObject({ liveVersion: 1 });
    await page.reload();
    await state.getByRole("button", { name: "Follow the newest" }).click();
    await question.getByRole("button", { name: "Follow the newest" }).click();
    await expectToast(page, "Calls use the newest version");
  });

  test("makes one of a file, and says what is wrong with another", async ({ page }) => {
    await page.goto(TEMPLATES);
    const field = page.getByLabel("Template file").first();
    await field.setInputFiles({ name: "welcome.pdf", mimeType: "text/plain", buffer: Buffer.from("x") });
    await expectToast(page, "file must be a .md or .txt file.");
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
    await page.goto(TEMPLATES);
    await chooseByPath(page, page.getByLabel("Template file").first(), folder);
    await expectToast(page, "That file cannot be read");
    await rm(folder, { recursive: true });
  });

  test("finds by text and by tag, as the address says", async ({ page }) => {
    await own.make({ name: "Tagged one", tags: ["alpha"] });
    await own.make({ name: "Tagged two", tags: ["beta"] });
    await page.goto(`${TEMPLATES}?q=TAGGED&tag=alpha`);
    await expect(row(page, "Tagged one")).toBeVisible();
    await expect(row(page, "Tagged two")).toHaveCount(0);
    await page.getByRole("button", { name: "Remove the filter Tag" }).click();
    await expect(row(page, "Tagged two")).toBeVisible();
    await page.goto(`${TEMPLATES}?q=nothing-like-this`);
    await expect(page.getByText("Nothing found")).toBeVisible();
    // As after the last one of the second part was deleted.
    await page.goto(`${TEMPLATES}?q=TAGGED&offset=50`);
    await expect(row(page, "Tagged two")).toBeVisible();
  });

  test("shows how it is used", async ({ page }) => {
    const { id } = await own.make({ promptTemplate: "Used {{message}}" });
    await page.goto(`${TEMPLATES}/${id}?tab=use`);
    await expect(page.getByText("Not used yet")).toBeVisible();
    await useOnce(own.account, id);
    await page.goto(`${TEMPLATES}/${id}?tab=use`);
    await expect(page.getByRole("table", { name: "Sessions", exact: true })).toContainText("Used now");
    await expect(page.getByRole("link", { name: "Use 1" })).toBeVisible();
  });

  test("deletes when the name is typed", async ({ page }) => {
    const { id } = await own.make({ name: "To delete" });
    await open(page, id);
    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete this template?" });
    await expect(question.getByRole("button", { name: "Delete template" })).toBeDisabled();
    await question.getByRole("textbox").fill("To delete");
    await question.getByRole("button", { name: "Delete template" }).click();
    await expectToast(page, "Template deleted");
    await expect(page).toHaveURL(TEMPLATES);
    await expect(row(page, "To delete")).toHaveCount(0);
  });

  test("lets members write, without a line too, and keeps deleting from them", async ({ page, context, faults }) => {
    const { id } = await own.make();
    await signInContext(context, await own.account.addPerson("member"));
    await open(page, id);
    await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
    await rewrite(text(page), "By a member");
    const save = page.getByRole("button", { name: "Save", exact: true });
    await context.setOffline(true);
    await save.press("Enter");
    await expect(page.getByText("Nothing was changed: the server could not be reached.")).toBeVisible();
    await context.setOffline(false);
    await save.press("Enter");
    await expectToast(page, "Saved as version 2");
    await expect(page.getByText("The server could not be reached.")).toHaveCount(0);
    // Nothing is left to save, yet the keyboard goes on from here; pressed again it makes no version.
    await expect(save).toBeDisabled();
    await expect(save).toBeFocused();
    await page.keyboard.press("Enter");
    expect((await getTemplate(own.account.principal, id)).version).toBe(2);
    // The browser itself reports what it could not send.
    faults.errors = faults.errors.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"));
  });

  test("shows nothing of another company's template", async ({ page, faults }) => {
    const theirs = await panelAccount();
    const { id } = await createTemplate(theirs.principal, { name: "Secret plan", promptTemplate: "x" });
    for (const query of ["", "?tab=versions&version=1", "?tab=use"]) {
      await page.goto(`${TEMPLATES}/${id}${query}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
      expect(await page.content()).not.toContain("Secret plan");
    }
    // The browser notes a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
  });

  test("shows hostile names, texts and answers as text", async ({ page }) => {
    const { id } = await own.make({
      name: HOSTILE,
      promptTemplate: `[[answer:<img src=x onerror=window.hacked=1> [go](javascript:window.hacked=1) ![p](https://evil.test/p.png)]]${HOSTILE}`,
      description: HOSTILE,
      tags: [HOSTILE],
      variables: { language: HOSTILE },
    });
    await page.goto(TEMPLATES);
    await expect(row(page, "<img src=x").first()).toBeVisible();
    await open(page, id);
    await page.getByRole("button", { name: "Ask the AI" }).click();
    await expect(page.getByRole("region", { name: "Answer" }).getByText(/tokens in/)).toBeVisible();
    await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
    await page.goto(`${TEMPLATES}/${id}?tab=versions&version=1`);
    await expect(page.getByRole("dialog")).toContainText("<script>");
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await prisma().template.delete({ where: { id } });
  });

  test("works by keyboard alone", async ({ page }) => {
    await gotoEditor(page, `${TEMPLATES}/new`);
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
    await page.goto(TEMPLATES);
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
    await page.goto(TEMPLATES);
    await expect(page.getByText("No templates yet")).toBeVisible();
    await expectWellMade(page, "templates-empty");
    await gotoEditor(page, `${TEMPLATES}/new`);
    await expectWellMade(page, "template-new");
  });
});

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
