import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { rewrite } from "@/e2e/support/editors";
import { expectToast, loseAnswers } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { all, answerTo, askToTryAll, choose, chosen, keepFor, message, value } from "@/e2e/support/panel-examples";
import { open, text, useTemplateOwner } from "@/e2e/support/panel-templates";
import { releaseModel } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { createTemplate } from "@/lib/services/templates/create-template";
import { updateTemplate } from "@/lib/services/templates/update-template";

const own = useTemplateOwner();

const keep = (templateId: string, name: string, values?: Record<string, string>) =>
  keepFor(own.account, templateId, name, values);
const sessions = (projectId = own.account.projectId) => prisma().session.count({ where: { projectId } });

test.describe("Trying all examples", () => {
  test("says what it costs, starts a session each, a few at once, and shows each answer at its place", async ({
    page,
  }) => {
    const { id } = await own.make({ promptTemplate: "{{what}}", variables: {} });
    for (const name of ["a", "b", "c", "d"]) await keep(id, `Case ${name}`, { what: heldAnswer(id, name) });
    await keep(id, "Case e", {});
    await open(page, id);
    const before = await sessions();
    const question = await askToTryAll(page, /^Try all 5 examples$/);
    await expect(question).toContainText(/Starts 4 sessions and costs about \d+( to \d+)? credits\./);
    await expect(question).toContainText("1 of 5 are not asked, for values are missing.");
    await expectWellMade(page, "template-examples-question");
    expect(await sessions()).toBe(before);
    await question.getByRole("button", { name: "Start 4 sessions" }).click();

    await expect(answerTo(page, "Case e")).toContainText("Not asked. Needs values for: what.");
    for (const name of ["a", "b", "c"]) await expect(answerTo(page, `Case ${name}`)).toContainText("Writing");
    await expect(answerTo(page, "Case d")).toContainText("Waits for its turn");
    expect(await sessions()).toBe(before + 3);
    await releaseModel(`${id}-b`);
    await expect(answerTo(page, "Case b")).toContainText(/Answer b.*\d+ tokens in, \d+ out, \d+ credits?/s);
    await expect(answerTo(page, "Case d")).toContainText("Writing");
    await expect(all(page).getByRole("button", { name: /^Try all/ })).toHaveAttribute("aria-disabled", "true");
    for (const name of ["a", "c", "d"]) await releaseModel(`${id}-${name}`);
    await expect(all(page)).toContainText(/All done, \d+ credits in all/);
    expect(await sessions()).toBe(before + 4);
    const href = await answerTo(page, "Case d").getByRole("link", { name: "See the session" }).getAttribute("href");
    const session = await prisma().session.findUniqueOrThrow({ where: { id: href?.split("/").at(-1) } });
    expect(session).toMatchObject({ lastOutput: "Answer d", templateId: null });
  });

  test("starts nothing when the reader thinks better of it, and no more when they stop it", async ({ page }) => {
    const { id } = await own.make({ promptTemplate: "{{what}}", variables: {} });
    for (const name of ["a", "b", "c", "d"]) await keep(id, `Case ${name}`, { what: heldAnswer(id, name) });
    await open(page, id);
    const before = await sessions();
    await (await askToTryAll(page)).getByRole("button", { name: "Cancel" }).click();
    expect(await sessions()).toBe(before);
    await (await askToTryAll(page)).getByRole("button", { name: /^Start/ }).click();
    await expect(answerTo(page, "Case c")).toContainText("Writing");
    await all(page).getByRole("button", { name: "Start no more" }).click();
    await expect(answerTo(page, "Case d")).toContainText("Not started");
    for (const name of ["a", "b", "c"]) await releaseModel(`${id}-${name}`);
    await expect(all(page)).toContainText("Stopped: 3 of 4 started");
    expect(await sessions()).toBe(before + 3);
  });

  test("compares what stands in the editor with a version, side by side", async ({ page, context }) => {
    const staged = await panelAccount();
    await signInContext(context, await staged.addPerson("owner"));
    const { principal } = staged;
    const { id } = await createTemplate(principal, {
      name: "Reply",
      promptTemplate: answering("Old words to {{who}}"),
    });
    await updateTemplate(principal, id, { promptTemplate: answering("Saved words to {{who}}") });
    await keepFor(principal, id, "A customer who is angry", { who: "Ada" });
    await keepFor(principal, id, "A supplier who is late", { who: "Bob" });
    await open(page, id);
    await rewrite(text(page), answering("New words to {{who}}"));
    await all(page)
      .getByRole("button", { name: /Compare with/ })
      .click();
    await page.getByRole("option", { name: "Version 1", exact: true }).click();
    const question = await askToTryAll(page);
    await expect(question).toContainText("each example with the editor and with version 1");
    await question.getByRole("button", { name: "Start 4 sessions" }).click();
    await expect(all(page)).toContainText("All done");
    for (const [name, who] of [
      ["A customer who is angry", "Ada"],
      ["A supplier who is late", "Bob"],
    ] as const) {
      await expect(answerTo(page, name)).toContainText(
        new RegExp(`Editor.*New words to ${who}.*Version 1.*Old words to ${who}`, "s"),
      );
    }
    expect(await sessions(staged.projectId)).toBe(4);
    const [editor, version] = await Promise.all(
      ["New words to Ada", "Old words to Ada"].map((words) => boxOf(page, words)),
    );
    expect(editor?.y).toBe(version?.y);
    await page.setViewportSize({ width: 390, height: 844 });
    const [above, below] = await Promise.all(
      ["New words to Ada", "Old words to Ada"].map((words) => boxOf(page, words)),
    );
    expect(above?.x).toBe(below?.x);
    expect(below?.y).toBeGreaterThan(above?.y ?? 0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await choose(page, "A customer who is angry");
    await message(page).fill("And say when.");
    await expectWellMade(page, "template-examples-compared");
  });

  test("says at its place what is refused for want of credits, and goes on with the others", async ({
    page,
    context,
  }) => {
    const poor = await panelAccount({ credits: 1 });
    await signInContext(context, await poor.addPerson("owner"));
    const { id } = await createTemplate(poor.principal, { name: "Poor", promptTemplate: "[[answer:Done]] {{what}}" });
    const long = "Many words. ".repeat(3_000);
    for (const [name, what] of [
      ["Dear", long],
      ["Small", "x"],
    ] as const) {
      await keepFor(poor, id, name, { what });
    }
    await open(page, id);
    const question = await askToTryAll(page);
    await expect(question).toContainText("The account has 1 credit left.");
    await question.getByRole("button", { name: /^Start/ }).click();
    await expect(all(page)).toContainText("1 of 2 answered, 1 refused, 1 credit in all");
    await expect(answerTo(page, "Dear")).toContainText(/needs about \d+ credits and \d are free/);
    await expect(answerTo(page, "Dear").getByRole("button", { name: "Try again" })).toBeVisible();
    await expect(answerTo(page, "Small")).toContainText(/Done.*1 credit/s);
    await expect(page.getByText("That did not work")).toHaveCount(0);
    await expectWellMade(page, "template-examples-refused");
  });

  test("starts an answer once though its answer was lost on the way", async ({ page, faults }) => {
    const { id } = await own.make({ promptTemplate: "[[answer:Reached]] {{what}}", variables: {} });
    await keep(id, "Lost");
    await open(page, id);
    const before = await sessions();
    const question = await askToTryAll(page);
    await loseAnswers(page);
    await question.getByRole("button", { name: /^Start/ }).click();
    const place = answerTo(page, "Lost");
    await expect(place.getByRole("alert")).toContainText("The server could not be reached.");
    await page.unrouteAll({ behavior: "wait" });
    await place.getByRole("button", { name: "Try again" }).click();
    await expect(place).toContainText("Reached");
    await expect(all(page)).toContainText("All done");
    expect(await sessions()).toBe(before + 1);
    faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
  });

  test("is refused to a company that is suspended, before and after the page was opened", async ({ page, context }) => {
    const blamed = await panelAccount();
    const { id } = await createTemplate(blamed.principal, { name: "Late", promptTemplate: "x" });
    await keepFor(blamed, id, "One");
    await signInContext(context, await blamed.addPerson("owner"));
    await open(page, id);
    await prisma().account.update({ where: { id: blamed.accountId }, data: { verificationStatus: "suspended" } });
    await all(page).getByRole("button", { name: "Try the example" }).click();
    await expectToast(page, "The account is suspended");
    await open(page, id);
    await expect(all(page)).toContainText("The account is suspended");
    await expect(all(page).getByRole("button", { name: "Try the example" })).toBeDisabled();
    expect(await sessions(blamed.projectId)).toBe(0);
  });

  test("works by keyboard alone", async ({ page }) => {
    const { id } = await own.make({ promptTemplate: "[[answer:Typed]] {{what}}", variables: {} });
    await keep(id, "By hand");
    await open(page, id);
    await chosen(page).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("listbox")).toBeVisible();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await expect(value(page, "what")).toHaveValue("By hand");
    await expect(chosen(page), "once the list is closed").toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Save as example" })).toBeFocused();
    await all(page).getByRole("button", { name: "Try the example" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alertdialog", { name: "Try all examples?" })).toBeVisible();
    await page.getByRole("button", { name: /^Start/ }).focus();
    await page.keyboard.press("Enter");
    await expect(answerTo(page, "By hand")).toContainText("Typed");
    await expect(all(page).getByRole("button", { name: "Try the example" })).toBeFocused();
  });
});

/** Has the test model begin the answer, and end it once that is released. */
const heldAnswer = (id: string, name: string) => `[[answer:Answer ${name}]] [[hold:${id}-${name}]] [[chunk:4]]`;
const answering = (words: string) => `[[answer:${words}]]`;

const boxOf = (page: Page, words: string) => all(page).getByText(words, { exact: true }).boundingBox();
