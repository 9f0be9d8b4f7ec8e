import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { chooseByPath } from "@/e2e/support/choose-by-path";
import { expectWellMade } from "@/e2e/support/page-look";
import { endSessions, panelAccount, signInAgain, signInContext } from "@/e2e/support/panel-browser";
import { KNOWLEDGE, useKnowledgeOwner } from "@/e2e/support/panel-knowledge";
import { asOwnerOf } from "@/e2e/support/panel-owner";
import { prisma } from "@/lib/db/prisma";
import { getKnowledgeFile } from "@/lib/services/knowledge/get-knowledge-file";
import { listKnowledgeFiles } from "@/lib/services/knowledge/list-knowledge-files";

const { own, make } = useKnowledgeOwner();

const markdown = (name: string, text: string) => ({ name, mimeType: "text/markdown", buffer: Buffer.from(text) });
test.describe("Knowledge base", () => {
  test("takes many files and says what became of each", async ({ page }) => {
    const { id } = await make("known.md", "old");
    await page.goto(KNOWLEDGE);
    await page
      .getByLabel("Knowledge files")
      .first()
      .setInputFiles([
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
    expect(await getKnowledgeFile(own.account, id)).toMatchObject({ content: "new", version: 2 });
    const full = (await listKnowledgeFiles(own.account)).find(({ path }) => path === "full.md");
    expect(full?.sizeBytes).toBe(1024 * 1024);
    await prisma().knowledgeFile.delete({ where: { id: full?.id } });
  });

  test("says of a folder that it cannot be read, and takes what comes after it", async ({ page }) => {
    const folder = await mkdtemp(join(tmpdir(), "chosen-"));
    await mkdir(join(folder, "prices.md"));
    await page.goto(KNOWLEDGE);
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
    await page.goto(KNOWLEDGE);
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
    await page.goto(KNOWLEDGE);
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
    await page.goto(KNOWLEDGE);
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
    const person = await own.account.addPerson("owner");
    await signInContext(context, person);
    await page.goto(KNOWLEDGE);
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
    expect((await listKnowledgeFiles(own.account)).filter(({ path }) => path.startsWith("late-"))).toHaveLength(2);
  });

  test("names the files that are more than it takes at once", async ({ page }) => {
    await page.goto(KNOWLEDGE);
    const files = Array.from({ length: 502 }, (_, index) => ({
      ...markdown(`${index}.txt`, "x"),
      mimeType: "text/plain",
    }));
    await page.getByLabel("Knowledge files").first().setInputFiles(files);
    const dialog = page.getByRole("dialog", { name: "Upload files" });
    await expect(dialog.getByText("502 of 502 done, 502 refused").first()).toBeVisible();
    await expect(dialog.getByRole("listitem").filter({ hasText: "Only Markdown files are taken." })).toHaveCount(500);
    await expect(
      dialog.getByRole("listitem").filter({ hasText: "Not sent: 500 files are taken at once." }),
    ).toHaveCount(2);
  });
});
