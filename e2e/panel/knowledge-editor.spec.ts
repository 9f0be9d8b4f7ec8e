import { expect } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { gotoEditor, rewrite, untilEditor } from "@/e2e/support/editors";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { content, KNOWLEDGE, open, useKnowledgeOwner } from "@/e2e/support/panel-knowledge";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { deleteKnowledgeFile } from "@/lib/services/knowledge/delete-knowledge-file";
import { getKnowledgeFile } from "@/lib/services/knowledge/get-knowledge-file";
import { listKnowledgeFiles } from "@/lib/services/knowledge/list-knowledge-files";
import { updateKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";

const { own, make } = useKnowledgeOwner();

test.describe("Knowledge base", () => {
  test("writes a file beside its preview, and the AI is given it with the next call", async ({ page }) => {
    await page.goto(KNOWLEDGE);
    await page.getByRole("link", { name: "New file" }).first().click();
    await untilEditor(page);
    await page.getByRole("textbox", { name: /^Name/ }).fill("shop/prices");
    await rewrite(content(page), "# Prices\n\nA **quince** costs 7 EUR.");
    const preview = page.getByRole("region", { name: "Preview of Content" });
    await expect(preview.locator("strong")).toHaveText("quince");
    await page.getByRole("button", { name: "Create file" }).click();
    await expect(page).toHaveURL(/\/knowledge\/knw_/);
    const api = apiClient(suite.url, own.account.apiKey);
    const { body } = await api.post<{ sessionId: string }>("/chat", { message: "What does a quince cost?" });
    const session = await api.waitUntilDone<{ context: object }>(`/chat/${body.sessionId}`);
    expect(session.context).toMatchObject({ knowledge: { files: [{ path: "shop/prices.md", included: "whole" }] } });
  });

  test("says at the field what is wrong with a name, and makes nothing before the name may be", async ({ page }) => {
    const { id } = await make("taken.md");
    await gotoEditor(page, `${KNOWLEDGE}/new?folder=users/`);
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
    expect((await listKnowledgeFiles(own.account)).filter(({ path }) => /anna|up\.md|html/.test(path))).toEqual([]);
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
    expect(await getKnowledgeFile(own.account, id)).toMatchObject({
      path: "moved/here.md",
      content: "# New",
      version: 2,
    });
  });

  test("says that somebody else saved or deleted meanwhile, and saves only when told to", async ({ page }) => {
    const { id } = await make("shared.md");
    await open(page, id);
    await rewrite(content(page), "Mine");
    await updateKnowledgeFile(own.account, id, { content: "Theirs" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this file meanwhile" });
    // The line that the file has, with nothing in front of it that is compared too.
    const compared = question.getByRole("region", { name: "Content: theirs and yours" });
    await expect(compared.getByRole("row").filter({ hasText: "Theirs" }).getByRole("cell").first()).toHaveText("1");
    await expectWellMade(page, "knowledge-conflict");
    await question.getByRole("button", { name: "Go on editing" }).click();
    expect((await getKnowledgeFile(own.account, id)).content).toBe("Theirs");
    await expect(content(page)).toHaveText("Mine");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await question.getByRole("button", { name: "Save mine" }).click();
    await expectToast(page, "Saved as version 3");
    expect((await getKnowledgeFile(own.account, id)).content).toBe("Mine");
    await rewrite(content(page), "Mine still");
    await deleteKnowledgeFile(own.account, id, OPERATOR);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const gone = page.getByRole("alertdialog", { name: "Somebody deleted this file meanwhile" });
    await gone.getByRole("button", { name: "Create a new file" }).click();
    await expectToast(page, "File created");
    await expect(page).not.toHaveURL(`${KNOWLEDGE}/${id}`);
    await expect(content(page)).toHaveText("Mine still");
  });

  test("compares versions and brings one back as a new one", async ({ page }) => {
    const { id } = await make("history.md", "First text");
    await updateKnowledgeFile(own.account, id, { content: "Second text" });
    await page.goto(`${KNOWLEDGE}/${id}?tab=versions`);
    await page.getByRole("link", { name: "Version 1", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "Version 1" });
    await expect(panel.getByRole("row").filter({ hasText: "Second text" })).toBeVisible();
    await panel.getByRole("button", { name: "Restore this version" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
    await expectToast(page, "Version 1 restored");
    expect(await getKnowledgeFile(own.account, id)).toMatchObject({ version: 3, content: "First text" });
  });

  test("saves a file of the greatest length from the editor", async ({ page }) => {
    const { id } = await make("long.md", `${"Ein gewöhnlicher Satz über Preise und Größen.\n".repeat(20_900)}end`);
    await open(page, id);
    await content(page).press("ControlOrMeta+End");
    await page.keyboard.type("!");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "Saved as version 2");
    expect((await getKnowledgeFile(own.account, id)).content.slice(-4)).toBe("end!");
    await prisma().knowledgeFile.delete({ where: { id } });
  });

  test("deletes when the name is typed", async ({ page }) => {
    const { id } = await make("bin/old.md");
    await open(page, id);
    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete this file?" });
    await question.getByRole("textbox").fill("bin/old.md");
    await question.getByRole("button", { name: "Delete file" }).click();
    await expectToast(page, "File deleted");
    await expect(page).toHaveURL(KNOWLEDGE);
    await expect(page.getByRole("link", { name: /old\.md/ })).toHaveCount(0);
  });
});
