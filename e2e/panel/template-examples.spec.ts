import { expect } from "playwright/test";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { expectToast, loseAnswers } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { all, choose, chosen, keepFor, message, value } from "@/e2e/support/panel-examples";
import { asked, open, useTemplateOwner } from "@/e2e/support/panel-templates";
import type { TemplateExample } from "@/lib/contracts/template-examples";
import { prisma } from "@/lib/db/prisma";
import { listExamples } from "@/lib/services/templates/examples/list-examples";
import { saveExample } from "@/lib/services/templates/examples/save-example";

const own = useTemplateOwner();

const keep = (templateId: string, name: string, values?: Record<string, string>) =>
  keepFor(own.account, templateId, name, values);
const kept = (templateId: string) => listExamples(own.account, templateId);

test.describe("Examples of a template", () => {
  test("are kept, chosen, changed, renamed and deleted", async ({ page }) => {
    const { id } = await own.make();
    await open(page, id);
    await expect(chosen(page)).toHaveCount(0);
    await expect(all(page)).toHaveCount(0);
    await value(page, "what").fill("No. 7");
    await message(page).fill("Kindly.");
    await page.getByRole("button", { name: "Save as example" }).click();
    const naming = page.getByRole("dialog", { name: "Save as an example" });
    await naming.getByLabel("Name").fill("A short one");
    await naming.getByRole("button", { name: "Save example" }).click();
    await expectToast(page, "Example saved");
    await expect(chosen(page)).toContainText("A short one");
    expect(await kept(id)).toMatchObject([{ name: "A short one", values: { what: "No. 7" }, message: "Kindly." }]);

    await choose(page, "None");
    await expect(value(page, "what")).toHaveValue("");
    await expect(page.getByRole("button", { name: "Save changes" })).toHaveCount(0);
    await choose(page, "A short one");
    await expect(value(page, "what")).toHaveValue("No. 7");
    await expect(asked(page)).toHaveText("Sum up No. 7 in English.\n\nKindly.");

    await message(page).fill("At once.");
    await expect(page.getByText("Not saved to the example yet")).toBeVisible();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Not saved to the example yet")).toHaveCount(0);
    expect(await kept(id)).toMatchObject([{ name: "A short one", values: { what: "No. 7" }, message: "At once." }]);

    await page.getByRole("button", { name: "Rename" }).click();
    const renaming = page.getByRole("dialog", { name: "Rename the example" });
    await renaming.getByLabel("Name").fill("The usual");
    await renaming.getByRole("button", { name: "Rename" }).click();
    await expect(chosen(page)).toContainText("The usual");

    await page.getByRole("region", { name: "Try it" }).getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete this example?" });
    await question.getByRole("textbox").fill("The usual");
    await question.getByRole("button", { name: "Delete example" }).click();
    await expectToast(page, "Example deleted");
    await expect(chosen(page)).toHaveCount(0);
    // The button that was pressed is gone: the keyboard goes on from where it was.
    await expect(page.getByRole("region", { name: "Try it" })).toBeFocused();
    await expect(message(page)).toHaveValue("At once.");
    expect(await kept(id)).toEqual([]);
  });

  test("bear different names, and are as many as a template may have", async ({ page }) => {
    const { id } = await own.make();
    for (let n = 1; n < 20; n += 1) await keep(id, `Example ${n}`);
    await open(page, id);
    await page.getByRole("button", { name: "Save as example" }).click();
    const naming = page.getByRole("dialog", { name: "Save as an example" });
    await naming.getByLabel("Name").fill("Example 7");
    await naming.getByRole("button", { name: "Save example" }).click();
    await expect(naming).toContainText("Is the name of another example.");
    await naming.getByLabel("Name").fill("Example 20");
    await naming.getByRole("button", { name: "Save example" }).click();
    await expect(page.getByText("A template has at most 20 examples.").last()).toBeVisible();
    await expect(page.getByRole("button", { name: "Save as example" })).toBeDisabled();
  });

  test("undo nothing that somebody else saved, unless the reader has seen it", async ({ page }) => {
    const { id } = await own.make();
    const example = await keep(id, "Shared");
    await open(page, id);
    await choose(page, "Shared");
    await message(page).fill("Mine.");
    await theySave(id, example, "Theirs.");
    await page.getByRole("button", { name: "Save changes" }).click();
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this example meanwhile" });
    await expect(question.getByRole("region", { name: "Message: theirs and yours" })).toContainText("Theirs.");
    await expectWellMade(page, "template-example-conflict");
    expect(await kept(id)).toMatchObject([{ message: "Theirs." }]);
    await question.getByRole("button", { name: "Take theirs" }).click();
    await expect(message(page)).toHaveValue("Theirs.");
    await message(page).fill("Mine after all.");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(async () => (await kept(id))[0]?.message).toBe("Mine after all.");
  });

  test("ask before an unsaved change is lost to another choice or to another page", async ({ page }) => {
    const { id } = await own.make();
    await keep(id, "First");
    await keep(id, "Second");
    await open(page, id);
    await choose(page, "First");
    await choose(page, "Second");
    await choose(page, "First");
    await message(page).fill("Mine.");
    await choose(page, "First");
    await choose(page, "Second");
    const question = page.getByRole("alertdialog", { name: "Drop your changes?" });
    await expectWellMade(page, "template-example-unsaved");
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(chosen(page)).toContainText("First");
    await expect(message(page)).toHaveValue("Mine.");
    await page.getByRole("link", { name: "Versions" }).click();
    await page
      .getByRole("alertdialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" })
      .click();
    await choose(page, "Second");
    await question.getByRole("button", { name: "Drop changes" }).click();
    await expect(chosen(page)).toContainText("Second");
    await expect(message(page)).toHaveValue("");
    await expect(value(page, "what")).toHaveValue("Second");
    await page.getByRole("link", { name: "Versions" }).click();
    await expect(page).toHaveURL(/tab=versions/);
  });

  test("ask before one takes the place of what was filled in and kept nowhere", async ({ page }) => {
    const { id } = await own.make();
    await keep(id, "First");
    await open(page, id);
    await message(page).fill("Mine.");
    await choose(page, "First");
    const question = page.getByRole("alertdialog", { name: "Fill the fields anew?" });
    await expectWellMade(page, "template-example-fills");
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(message(page)).toHaveValue("Mine.");
    await expect(chosen(page)).toContainText("None");
    await choose(page, "First");
    await question.getByRole("button", { name: "Fill them anew" }).click();
    await expect(chosen(page)).toContainText("First");
    await expect(message(page)).toHaveValue("");
  });

  test("keep what is filled in where somebody deleted the chosen one", async ({ page }) => {
    const { id } = await own.make();
    const example = await keep(id, "Going");
    await open(page, id);
    await choose(page, "Going");
    await message(page).fill("Mine.");
    await prisma().templateExample.delete({ where: { id: example.id } });
    await page.getByRole("button", { name: "Save changes" }).click();
    await expectToast(page, "Somebody deleted this example meanwhile");
    await expect(message(page)).toHaveValue("Mine.");
    await expect(page.getByRole("button", { name: "Save changes" })).toHaveCount(0);
  });

  test("are kept once though they are sent again because the answer was lost", async ({ page, faults }) => {
    const { id } = await own.make();
    await open(page, id);
    await page.getByRole("button", { name: "Save as example" }).click();
    const naming = page.getByRole("dialog", { name: "Save as an example" });
    await naming.getByLabel("Name").fill("On a train");
    await loseAnswers(page, (sent) => sent === 2);
    await naming.getByRole("button", { name: "Save example" }).click();
    await expectToast(page, "It is not known whether anything changed");
    await page.unrouteAll({ behavior: "wait" });
    await naming.getByRole("button", { name: "Save example" }).click();
    await expect(chosen(page)).toContainText("On a train");
    expect(await kept(id)).toHaveLength(1);
    // The browser itself reports what it could not send.
    faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
  });

  test("have names of any length, chosen or to be chosen from", async ({ page }) => {
    const { id } = await own.make();
    const long = `Donaudampfschifffahrtsgesellschaft${"x".repeat(160)}`;
    await keep(id, long);
    await open(page, id);
    await chosen(page).click();
    const option = page.getByRole("option", { name: long, exact: true });
    const [inside, around] = await Promise.all([option.locator("bdi").boundingBox(), option.boundingBox()]);
    expect(inside?.width).toBeLessThan(around?.width ?? 0);
    await option.click();
    await expect(value(page, "what")).toHaveValue(long);
    await expectNoSidewaysScroll(page);
  });

  test("show values that the text has no place for, and keep them", async ({ page }) => {
    const { id } = await own.make();
    await keep(id, "With more", { what: "x", older: "from an earlier version" });
    await open(page, id);
    await choose(page, "With more");
    await expect(page.getByRole("textbox", { name: "older (not in the text)" })).toHaveValue("from an earlier version");
    await value(page, "what").fill("y");
    await page.getByRole("button", { name: "Save changes" }).click();
    const values = { what: "y", older: "from an earlier version" };
    await expect.poll(async () => (await kept(id))[0]?.values).toEqual(values);
  });
});

async function theySave(templateId: string, example: TemplateExample, words: string) {
  const { id: exampleId, updatedAt: base, name, values } = example;
  const draft = { name, values, message: words };
  await saveExample(own.account, { templateId, exampleId }, { base, draft }, { kind: "owner", userId: "usr_somebody" });
}
