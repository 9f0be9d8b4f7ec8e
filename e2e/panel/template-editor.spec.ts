import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { gotoEditor, rewrite } from "@/e2e/support/editors";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { asked, open, TEMPLATES, text, useTemplateOwner } from "@/e2e/support/panel-templates";
import { pastePicture, pasteText } from "@/e2e/support/paste-text";
import { saveScreenshot } from "@/e2e/support/screenshots";
import { releaseModel } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { MAX_MESSAGE_CHARACTERS } from "@/lib/domain/limits";
import { MAX_PROMPT_TEMPLATE_CHARACTERS } from "@/lib/domain/template-limits";
import { createTemplate } from "@/lib/services/templates/create-template";
import { getTemplate } from "@/lib/services/templates/get-template";

const own = useTemplateOwner();

test.describe("Templates, as they are written and tried", () => {
  test("are written as they are read, Arabic from the right, and JSON from the left whatever its names", async ({
    page,
  }) => {
    await gotoEditor(page, `${TEMPLATES}/new`);
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
    await gotoEditor(page, `${TEMPLATES}/new`);
    await rewrite(text(page), "Build {{constructor}} with {{__proto__}}");
    await expect(asked(page)).toHaveText("Build {{constructor}} with {{__proto__}}");
    await expect(page.getByLabel("Default of __proto__")).toHaveValue("");
    await expect(page.getByRole("button", { name: "Ask the AI" })).toBeDisabled();
    await page.getByRole("textbox", { name: "constructor", exact: true }).fill("a house");
    await expect(asked(page)).toHaveText("Build a house with {{__proto__}}");
  });

  test("says of what stands in braces and is no variable that the AI reads it so", async ({ page }) => {
    await gotoEditor(page, `${TEMPLATES}/new`);
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
    const { id } = await own.make({ promptTemplate: "Sum up {{what}}." });
    const page = await context.newPage();
    const scripts = await holdScripts(page);
    await page.goto(`${TEMPLATES}/${id}`, { waitUntil: "commit" });
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
    await expectToast(page, "Saved as version 2");
    expect((await getTemplate(own.account.principal, id)).promptTemplate).toBe("Sum up {{what}}. Kindly, pleasXe");
    await page.close();
  });

  test("says that a paste was too long for it also before the editor's code has come", async ({ context }) => {
    const page = await context.newPage();
    const scripts = await holdScripts(page);
    scripts.release("all but the editor");
    await page.goto(`${TEMPLATES}/${(await own.make()).id}`);
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
    await gotoEditor(page, `${TEMPLATES}/new`);
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

  test("keeps the text that is marked when a picture is pasted over it", async ({ page }) => {
    await gotoEditor(page, `${TEMPLATES}/new`);
    await rewrite(text(page), "Worth keeping");
    await page.keyboard.press("ControlOrMeta+a");
    await pastePicture(page);
    await page.keyboard.press("End");
    await page.keyboard.insertText(", and going on");
    await expect(text(page)).toHaveText("Worth keeping, and going on");
  });

  test("shows what a call says, and names what it lacks", async ({ page }) => {
    const { id } = await own.make();
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
    const { id } = await own.make();
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
    expect(session).toMatchObject({
      projectId: own.account.projectId,
      lastOutput: "One **two** three",
      templateId: null,
    });
    expect((await getTemplate(own.account.principal, id)).usageCount).toBe(0);
  });

  test("says that there is no connection while the answer is not reached, and shows it once it is", async ({
    page,
    faults,
  }) => {
    const { id } = await own.make({ promptTemplate: "[[answer:Reached]]", variables: {} });
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
    const { id } = await own.make({ promptTemplate: "[[fail:400]]", variables: {} });
    await open(page, id);
    await page.getByRole("button", { name: "Ask the AI" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await expect(answer.getByRole("link", { name: "See the session" })).toBeVisible();
    await expect(answer).not.toContainText("SECRET-PROVIDER-TEXT");
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
