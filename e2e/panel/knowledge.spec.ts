import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { gotoEditor, rewrite } from "@/e2e/support/editors";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { type PanelAccount, panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { content, KNOWLEDGE, open, useKnowledgeOwner } from "@/e2e/support/panel-knowledge";
import { asOwnerOf } from "@/e2e/support/panel-owner";
import { pasteText } from "@/e2e/support/paste-text";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { updateKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";

const HOSTILE = `# <img src=x onerror="window.hacked=1">\n\n<script>window.hacked=1</script>\n\n[go](javascript:window.hacked=1) ![p](https://evil.test/p.png) \u202e`;

const { own, make } = useKnowledgeOwner();

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

test.describe("Knowledge base", () => {
  test("shows files in folders that fold", async ({ page }) => {
    await make("guide/eu/returns.md");
    await page.goto(KNOWLEDGE);
    const file = page.getByRole("link", { name: /returns\.md/ });
    await expect(file).toBeVisible();
    await page.getByText("guide/", { exact: false }).first().click();
    await expect(file).toBeHidden();
    await page.getByText("guide/", { exact: false }).first().click();
    await file.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("returns.md");
  });

  test("shows of hundreds of files the folders first, and finds one by a part of its name", async ({ page }) => {
    const other = await panelAccount();
    const { projectId } = other;
    await createKnowledgeFile(other, { path: "north/prices-1.md", content: "One euro." });
    const { content, sha256 } = await prisma().knowledgeFile.findFirstOrThrow({ where: { projectId } });
    const paths = Array.from({ length: 109 }, (_, index) => `${index % 2 ? "north" : "south"}/prices-${index + 2}.md`);
    await prisma().knowledgeFile.createMany({
      data: paths.map((path) => ({
        ...{ id: newId("knowledgeFile"), projectId, path, content, sha256 },
        tokenCount: 3,
      })),
    });
    await asOwnerOf(page, other);
    await page.goto(KNOWLEDGE);
    const file = page.getByRole("link", { name: "prices-110.md" });
    await expect(page.getByText("south/")).toBeVisible();
    await expect(file).toBeHidden();
    await page.getByText("south/").click();
    await expect(file).toBeVisible();
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("textbox").last().fill("NORTH/prices-10");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("link", { name: /prices-\d+\.md/ })).toHaveCount(5);
    await expect(page.getByRole("link", { name: "prices-109.md" })).toBeVisible();
    await expectWellMade(page, "knowledge-found");
    await page.goto(`${KNOWLEDGE}?find=nowhere`);
    await expect(page.getByText("No file is called like that")).toBeVisible();
  });

  test("shows which sections the AI would see once not all fits", async ({ page }) => {
    const other = await panelAccount();
    await prisma().project.update({ where: { id: other.projectId }, data: { model: "some-small-model" } });
    const filler = "Many words about nothing in particular. ".repeat(1_500);
    await createKnowledgeFile(other, { path: "hours.md", content: "Open from nine to five." });
    await createKnowledgeFile(other, {
      path: "handbook.md",
      content: `# Holidays\n\nThirty days a year.\n\n# Other\n\n${filler}`,
    });
    await asOwnerOf(page, other);
    await page.goto(KNOWLEDGE);
    await expect(page.getByText("More than fits", { exact: false })).toBeVisible();
    await expect(page.getByText(/^Adds up to [\d.]+ credits? to each call\.$/)).toBeVisible();
    await page.getByRole("link", { name: "What the AI sees" }).click();
    const question = page.getByLabel("A question that a call may ask");
    await question.focus();
    await pasteText(page, "x".repeat(2_001));
    await expect(page.locator("form").getByRole("alert")).toContainText("the end of what you pasted was left out");
    await question.fill("How many holidays do I have?");
    await page.getByRole("button", { name: "Show what the AI sees" }).click();
    await expect(row(page, "hours.md")).toContainText("whole");
    await expect(row(page, "handbook.md")).toContainText("sections");
    await expect(page.getByRole("region", { name: "Sections of handbook.md" })).toContainText("Holidays");
    await expectWellMade(page, "knowledge-check");
  });

  test("is switched off and on with the project's API, after saying what that means", async ({ page }) => {
    const other = await panelAccount();
    await createKnowledgeFile(other, { path: "a.md", content: "text" });
    await asOwnerOf(page, other);
    const status = async () => (await apiClient(suite.url, other.apiKey).get("/account")).status;
    await page.goto(KNOWLEDGE);
    await page.getByRole("button", { name: "Switch off" }).click();
    const question = page.getByRole("alertdialog", { name: "Switch this project's API off?" });
    await expect(question).toContainText("403 API_DISABLED");
    await question.getByRole("button", { name: "Switch off" }).click();
    await expect(page.getByText("The AI is given none of this")).toBeVisible();
    expect(await status()).toBe(403);
    await page.getByRole("button", { name: "Switch on" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Switch on" }).click();
    await expect(page.getByText("The AI is given this knowledge")).toBeVisible();
    expect(await status()).toBe(200);
  });

  test("lets members write, and keeps deleting and switching from them", async ({ page, context }) => {
    const { id } = await make("by-member.md");
    await signInContext(context, await own.account.addPerson("member"));
    await page.goto(KNOWLEDGE);
    await expect(page.getByRole("link", { name: /by-member\.md/ })).toBeVisible();
    await expect(page.getByRole("button", { name: /Switch/ })).toHaveCount(0);
    await open(page, id);
    await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
    await rewrite(content(page), "By a member");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "Saved as version 2");
  });

  test("shows nothing of another company's file", async ({ page, faults }) => {
    const theirs = await panelAccount();
    const { id } = await createKnowledgeFile(theirs, { path: "secret-plan.md", content: "x" });
    for (const query of ["", "?tab=versions&version=1"]) {
      await page.goto(`${KNOWLEDGE}/${id}${query}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
      expect(await page.content()).not.toContain("secret-plan");
    }
    // The browser notes a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
    await page.goto(KNOWLEDGE);
    await expect(page.getByRole("link", { name: /secret-plan/ })).toHaveCount(0);
  });

  test("shows hostile content as text", async ({ page }) => {
    const { id } = await make("hostile (1) = @.md", HOSTILE);
    await open(page, id);
    await expect(page.getByRole("region", { name: "Preview of Content" })).toContainText("[image: p]");
    await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
    await page.goto(`${KNOWLEDGE}/${id}?tab=versions&version=1`);
    await expect(page.getByRole("dialog")).toContainText("<script>");
    await page.goto(`${KNOWLEDGE}?tab=check&question=${encodeURIComponent(HOSTILE)}`);
    await expect(row(page, "hostile")).toBeVisible();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("works by keyboard alone", async ({ page }) => {
    await make("keys/a.md");
    await page.goto(KNOWLEDGE);
    await page.locator("summary").filter({ hasText: "keys/" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("link", { name: /^a\.md/ })).toBeHidden();
    await gotoEditor(page, `${KNOWLEDGE}/new`);
    await expect(page.getByRole("textbox", { name: /^Name/ })).toBeFocused();
    await page.keyboard.type("by-keyboard.md");
    await page.keyboard.press("Tab");
    await expect(content(page)).toBeFocused();
    await page.keyboard.type("# Typed");
    await page.getByRole("button", { name: "Create file" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("by-keyboard.md");
  });

  test("is well made: the tree, a file, a version, empty, and a new one", async ({ page }) => {
    const staged = await panelAccount();
    const id = await stage(staged);
    await asOwnerOf(page, staged);
    await page.goto(KNOWLEDGE);
    await expectWellMade(page, "knowledge");
    await open(page, id);
    await expectWellMade(page, "knowledge-file");
    await page.goto(`${KNOWLEDGE}/${id}?tab=versions&version=2`);
    await expect(page.getByRole("dialog", { name: "Version 2" })).toBeVisible();
    await expectWellMade(page, "knowledge-version");
    await asOwnerOf(page, await panelAccount());
    await page.goto(KNOWLEDGE);
    await expect(page.getByText("No files yet")).toBeVisible();
    await expectWellMade(page, "knowledge-empty");
    await gotoEditor(page, `${KNOWLEDGE}/new`);
    await expectWellMade(page, "knowledge-new");
  });
});

/** An account as one looks after some weeks. */
async function stage(staged: PanelAccount): Promise<string> {
  const create = (path: string, text: string) => createKnowledgeFile(staged, { path, content: text });
  await create("company.md", "# About us\n\nA family business since 1974.");
  await create("support/returns.md", `# Returns\n\n${"Within thirty days, with the receipt. ".repeat(60)}`);
  await create("support/eu/warranty.md", "# Warranty\n\nTwo years by law.");
  await create("products/a-rather-long-name-of-a-file-that-hardly-fits-on-a-phone.md", "# Long");
  const { id } = await create("products/prices.md", "# Prices\n\n| What | EUR |\n|---|---|\n| Apples | 3 |");
  await updateKnowledgeFile(staged, id, {
    content:
      "# Prices\n\n| What | EUR |\n|---|---|\n| Apples | 4 |\n| Quinces | 7 |\n\n## Terms\n\n- Net **30 days**\n- EU only",
  });
  return id;
}
