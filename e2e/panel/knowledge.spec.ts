import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { chooseByPath } from "@/e2e/support/choose-by-path";
import { gotoEditor, rewrite, untilEditor } from "@/e2e/support/editors";
import { expectToast } from "@/e2e/support/live-pages";
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
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { deleteKnowledgeFile } from "@/lib/services/knowledge/delete-knowledge-file";
import { getKnowledgeFile } from "@/lib/services/knowledge/get-knowledge-file";
import { listKnowledgeFiles } from "@/lib/services/knowledge/list-knowledge-files";
import { updateKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";

const PATH = "/panel/knowledge";
const HOSTILE = `# <img src=x onerror="window.hacked=1">\n\n<script>window.hacked=1</script>\n\n[go](javascript:window.hacked=1) ![p](https://evil.test/p.png) \u202e`;

let account: PanelAccount;
let owner: TestPerson;

test.beforeAll(async () => {
  account = await panelAccount();
  owner = await account.addPerson("owner");
});

test.beforeEach(({ context }) => signInContext(context, owner));

const make = (path: string, content = "# Prices\n\nApples cost 3 EUR.") =>
  createKnowledgeFile(account, { path, content });
const content = (page: Page) => page.getByRole("textbox", { name: "Content" });
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const markdown = (name: string, text: string) => ({ name, mimeType: "text/markdown", buffer: Buffer.from(text) });

const open = (page: Page, id: string) => gotoEditor(page, `${PATH}/${id}`);

/** Another company, with its owner signed in. */
async function asOwnerOf(page: Page, other: PanelAccount) {
  await signInContext(page.context(), await other.addPerson("owner"));
}

test.describe("Knowledge base", () => {
  test("writes a file beside its preview, and the AI is given it with the next call", async ({ page }) => {
    await page.goto(PATH);
    await page.getByRole("link", { name: "New file" }).first().click();
    await untilEditor(page);
    await page.getByRole("textbox", { name: /^Name/ }).fill("shop/prices");
    await rewrite(content(page), "# Prices\n\nA **quince** costs 7 EUR.");
    const preview = page.getByRole("region", { name: "Preview of Content" });
    await expect(preview.locator("strong")).toHaveText("quince");
    await page.getByRole("button", { name: "Create file" }).click();
    await expect(page).toHaveURL(/\/knowledge\/knw_/);
    const api = apiClient(suite.url, account.apiKey);
    const { body } = await api.post<{ sessionId: string }>("/chat", { message: "What does a quince cost?" });
    const session = await api.waitUntilDone<{ context: object }>(`/chat/${body.sessionId}`);
    expect(session.context).toMatchObject({ knowledge: { files: [{ path: "shop/prices.md", included: "whole" }] } });
  });

  test("says at the field what is wrong with a name, and makes nothing before the name may be", async ({ page }) => {
    const { id } = await make("taken.md");
    await gotoEditor(page, `${PATH}/new?folder=users/`);
    await rewrite(content(page), "text");
    const name = page.getByRole("textbox", { name: /^Name/ });
    for (const [path, problem] of [
      ["users/anna.md", /memory profiles/],
      ["../up.md", /".."/],
      ["page.html", /end in .md/],
      ["taken.md", /taken by another file/],
    ] as const) {
      await name.fill(path);
      await page.getByRole("button", { name: "Create file" }).click();
      await expect(page.getByText(problem)).toBeVisible();
      await expect(name).toBeFocused();
    }
    await prisma().knowledgeFile.delete({ where: { id } });
    await page.getByRole("button", { name: "Create file" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("taken.md");
    expect((await listKnowledgeFiles(account)).filter(({ path }) => /anna|up\.md|html/.test(path))).toEqual([]);
  });

  test("shows files in folders that fold", async ({ page }) => {
    await make("guide/eu/returns.md");
    await page.goto(PATH);
    const file = page.getByRole("link", { name: /returns\.md/ });
    await expect(file).toBeVisible();
    await page.getByText("guide/", { exact: false }).first().click();
    await expect(file).toBeHidden();
    await page.getByText("guide/", { exact: false }).first().click();
    await file.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("returns.md");
  });

  test("keeps a change as a version, moves a file by its name, and asks before a change is lost", async ({ page }) => {
    const { id } = await make("move/me.md");
    await open(page, id);
    await rewrite(content(page), "# New");
    await page.getByRole("link", { name: "Versions" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stay" }).click();
    await page.getByRole("textbox", { name: /^Name/ }).fill("moved/here.md");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "Saved as version 2");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("here.md");
    expect(await getKnowledgeFile(account, id)).toMatchObject({ path: "moved/here.md", content: "# New", version: 2 });
  });

  test("says that somebody else saved or deleted meanwhile, and saves only when told to", async ({ page }) => {
    const { id } = await make("shared.md");
    await open(page, id);
    await rewrite(content(page), "Mine");
    await updateKnowledgeFile(account, id, { content: "Theirs" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this file meanwhile" });
    // The line that the file has, with nothing in front of it that is compared too.
    const compared = question.getByRole("region", { name: "Content: theirs and yours" });
    await expect(compared.getByRole("row").filter({ hasText: "Theirs" }).getByRole("cell").first()).toHaveText("1");
    await expectWellMade(page, "knowledge-conflict");
    await question.getByRole("button", { name: "Go on editing" }).click();
    expect((await getKnowledgeFile(account, id)).content).toBe("Theirs");
    await expect(content(page)).toHaveText("Mine");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await question.getByRole("button", { name: "Save mine" }).click();
    await expectToast(page, "Saved as version 3");
    expect((await getKnowledgeFile(account, id)).content).toBe("Mine");
    await rewrite(content(page), "Mine still");
    await deleteKnowledgeFile(account, id, OPERATOR);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const gone = page.getByRole("alertdialog", { name: "Somebody deleted this file meanwhile" });
    await gone.getByRole("button", { name: "Create a new file" }).click();
    await expectToast(page, "File created");
    await expect(page).not.toHaveURL(`${PATH}/${id}`);
    await expect(content(page)).toHaveText("Mine still");
  });

  test("compares versions and brings one back as a new one", async ({ page }) => {
    const { id } = await make("history.md", "First text");
    await updateKnowledgeFile(account, id, { content: "Second text" });
    await page.goto(`${PATH}/${id}?tab=versions`);
    await page.getByRole("link", { name: "Version 1", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "Version 1" });
    await expect(panel.getByRole("row").filter({ hasText: "Second text" })).toBeVisible();
    await panel.getByRole("button", { name: "Restore this version" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
    await expectToast(page, "Version 1 restored");
    expect(await getKnowledgeFile(account, id)).toMatchObject({ version: 3, content: "First text" });
  });

  test("takes many files and says what became of each", async ({ page }) => {
    const { id } = await make("known.md", "old");
    await page.goto(PATH);
    await page.getByLabel("Knowledge files").setInputFiles([
      markdown("up-one.md", "# One"),
      markdown("known.md", "new"),
      { name: "broken.md", mimeType: "text/markdown", buffer: Buffer.from([0xff, 0xfe, 0x41]) },
      markdown("large.md", "x".repeat(1024 * 1024 + 1)),
      { name: "prices.docx", mimeType: "application/octet-stream", buffer: Buffer.from("PK") },
      // The most that a file may have, of what grows most on its way.
      markdown("full.md", `${"\n".repeat(1024 * 1024 - 1)}x`),
    ]);
    const dialog = page.getByRole("dialog", { name: "Upload files" });
    await expect(dialog.getByText("6 of 6 done").first()).toBeVisible();
    const line = (name: string) => dialog.getByRole("listitem").filter({ hasText: name });
    await expect(line("up-one.md")).toContainText("added");
    await expect(line("known.md")).toContainText("new version");
    await expect(line("broken.md")).toContainText("must be UTF-8 text");
    await expect(line("large.md")).toContainText("It has more than 1 MB.");
    await expect(line("prices.docx")).toContainText("Only Markdown files are taken.");
    await expect(line("full.md")).toContainText("added");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(page.getByRole("link", { name: /up-one\.md/ })).toBeVisible();
    expect(await getKnowledgeFile(account, id)).toMatchObject({ content: "new", version: 2 });
    const full = (await listKnowledgeFiles(account)).find(({ path }) => path === "full.md");
    expect(full?.sizeBytes).toBe(1024 * 1024);
    await prisma().knowledgeFile.delete({ where: { id: full?.id } });
  });

  test("says of a folder that it cannot be read, and takes what comes after it", async ({ page }) => {
    const folder = await mkdtemp(join(tmpdir(), "chosen-"));
    await mkdir(join(folder, "prices.md"));
    await page.goto(PATH);
    await chooseByPath(page, page.getByLabel("Knowledge files").first(), join(folder, "prices.md"));
    const dialog = page.getByRole("dialog", { name: "Upload files" });
    await expect(dialog.getByRole("listitem").filter({ hasText: "prices.md" })).toContainText("It cannot be read");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page
      .getByLabel("Knowledge files")
      .first()
      .setInputFiles([markdown("after-folder.md", "# After")]);
    await expect(dialog.getByRole("listitem").filter({ hasText: "after-folder.md" })).toContainText("added");
    await rm(folder, { recursive: true });
  });

  test("shows to the end what became of the first files of an empty list, whose own button goes with them", async ({
    page,
  }) => {
    await asOwnerOf(page, await panelAccount());
    await page.goto(PATH);
    const files = [markdown("one.md", "# One"), markdown("empty.md", ""), markdown("two.md", "# Two")];
    await page.getByLabel("Knowledge files").last().setInputFiles(files);
    const dialog = page.getByRole("dialog", { name: "Upload files" });
    await expect(dialog.getByRole("status").filter({ hasText: "3 of 3 done, 1 refused" })).toBeAttached();
    await expect(dialog.getByRole("listitem").filter({ hasText: "empty.md" })).toContainText(
      "Its text must not be empty.",
    );
    await expectWellMade(page, "knowledge-upload");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(page.getByRole("link", { name: /two\.md/ })).toBeVisible();
  });

  test("keeps the page when the service is not reached and the dialog is closed", async ({ page, context, faults }) => {
    await page.goto(PATH);
    await context.setOffline(true);
    await page
      .getByLabel("Knowledge files")
      .first()
      .setInputFiles([markdown("offline.md", "# Off")]);
    const dialog = page.getByRole("dialog", { name: "Upload files" });
    await expect(dialog.getByRole("listitem")).toContainText("the server could not be reached");
    const looked = page.waitForRequest(/health\/ready/);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await looked;
    await context.setOffline(false);
    await expect(page.getByRole("button", { name: "Upload files" }).first()).toBeVisible();
    // The browser itself reports what it could not send.
    faults.errors = faults.errors.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"));
  });

  test("gives the keyboard to what became of chosen files, and closes it with Esc", async ({ page }) => {
    await page.goto(PATH);
    const upload = page.getByRole("button", { name: "Upload files" }).first();
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), upload.press("Enter")]);
    await chooser.setFiles([markdown("chosen.md", "# One")]);
    const dialog = page.getByRole("dialog", { name: "Upload files" });
    await expect(dialog.getByRole("listitem")).toContainText("added");
    await expect(dialog).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(upload).toBeFocused();
  });

  test("leads back in when the session has ended, sends nothing more, and takes the files after that", async ({
    page,
    context,
  }) => {
    const person = await account.addPerson("owner");
    await signInContext(context, person);
    await page.goto(PATH);
    await endSessions(person);
    const files = [markdown("late-one.md", "# One"), markdown("late-two.md", "# Two")];
    let asked = 0;
    page.on("request", (request) => {
      if (request.method() === "POST") asked += 1;
    });
    await page.getByLabel("Knowledge files").first().setInputFiles(files);
    const dialog = page.getByRole("dialog", { name: "Upload files" });
    await expect(dialog.getByText("Not sent: you are signed out.")).toHaveCount(2);
    await expect(dialog.getByRole("alert")).toContainText("You are signed out. Sign in in a new tab");
    expect(asked).toBe(1);
    await expectWellMade(page, "knowledge-upload-signed-out");
    await signInAgain(page, person);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByLabel("Knowledge files").first().setInputFiles(files);
    await expect(dialog.getByText("2 of 2 done").first()).toBeVisible();
    await expect(dialog.getByText("you are signed out", { exact: false })).toHaveCount(0);
    expect((await listKnowledgeFiles(account)).filter(({ path }) => path.startsWith("late-"))).toHaveLength(2);
  });

  test("names the files that are more than it takes at once", async ({ page }) => {
    await page.goto(PATH);
    const files = Array.from({ length: 502 }, (_, index) => ({
      ...markdown(`${index}.txt`, "x"),
      mimeType: "text/plain",
    }));
    await page.getByLabel("Knowledge files").setInputFiles(files);
    const dialog = page.getByRole("dialog", { name: "Upload files" });
    await expect(dialog.getByText("502 of 502 done, 502 refused").first()).toBeVisible();
    await expect(dialog.getByRole("listitem").filter({ hasText: "Only Markdown files are taken." })).toHaveCount(500);
    await expect(
      dialog.getByRole("listitem").filter({ hasText: "Not sent: 500 files are taken at once." }),
    ).toHaveCount(2);
  });

  test("saves a file of the greatest length from the editor", async ({ page }) => {
    const { id } = await make("long.md", `${"Ein gewöhnlicher Satz über Preise und Größen.\n".repeat(20_900)}end`);
    await open(page, id);
    await content(page).press("ControlOrMeta+End");
    await page.keyboard.type("!");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "Saved as version 2");
    expect((await getKnowledgeFile(account, id)).content.slice(-4)).toBe("end!");
    await prisma().knowledgeFile.delete({ where: { id } });
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
    await page.goto(PATH);
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
    await page.goto(PATH);
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

  test("deletes when the name is typed", async ({ page }) => {
    const { id } = await make("bin/old.md");
    await open(page, id);
    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete this file?" });
    await question.getByRole("textbox").fill("bin/old.md");
    await question.getByRole("button", { name: "Delete file" }).click();
    await expectToast(page, "File deleted");
    await expect(page).toHaveURL(PATH);
    await expect(page.getByRole("link", { name: /old\.md/ })).toHaveCount(0);
  });

  test("lets members write, and keeps deleting and switching from them", async ({ page, context }) => {
    const { id } = await make("by-member.md");
    await signInContext(context, await account.addPerson("member"));
    await page.goto(PATH);
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
      await page.goto(`${PATH}/${id}${query}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
      expect(await page.content()).not.toContain("secret-plan");
    }
    // The browser notes a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
    await page.goto(PATH);
    await expect(page.getByRole("link", { name: /secret-plan/ })).toHaveCount(0);
  });

  test("shows hostile content as text", async ({ page }) => {
    const { id } = await make("hostile (1) = @.md", HOSTILE);
    await open(page, id);
    await expect(page.getByRole("region", { name: "Preview of Content" })).toContainText("[image: p]");
    await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
    await page.goto(`${PATH}/${id}?tab=versions&version=1`);
    await expect(page.getByRole("dialog")).toContainText("<script>");
    await page.goto(`${PATH}?tab=check&question=${encodeURIComponent(HOSTILE)}`);
    await expect(row(page, "hostile")).toBeVisible();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("works by keyboard alone", async ({ page }) => {
    await make("keys/a.md");
    await page.goto(PATH);
    await page.locator("summary").filter({ hasText: "keys/" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("link", { name: /^a\.md/ })).toBeHidden();
    await gotoEditor(page, `${PATH}/new`);
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
    await page.goto(PATH);
    await expectWellMade(page, "knowledge");
    await open(page, id);
    await expectWellMade(page, "knowledge-file");
    await page.goto(`${PATH}/${id}?tab=versions&version=2`);
    await expect(page.getByRole("dialog", { name: "Version 2" })).toBeVisible();
    await expectWellMade(page, "knowledge-version");
    await asOwnerOf(page, await panelAccount());
    await page.goto(PATH);
    await expect(page.getByText("No files yet")).toBeVisible();
    await expectWellMade(page, "knowledge-empty");
    await gotoEditor(page, `${PATH}/new`);
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
