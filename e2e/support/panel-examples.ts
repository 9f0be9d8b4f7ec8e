import type { Locator, Page } from "playwright/test";
import { expect } from "playwright/test";
import type { ProjectScope } from "@/lib/domain/principal";
import { keepExample } from "@/lib/services/templates/examples/keep-example";

/** Keeps an example that stands for a call with its name, where nothing else is said. */
export function keepFor(
  account: ProjectScope,
  templateId: string,
  name: string,
  values: Record<string, string> = { what: name },
): ReturnType<typeof keepExample> {
  return keepExample(account, templateId, { name, values, message: "" }, "usr_somebody");
}

/** The field that an example is chosen in. */
export const chosen = (page: Page): Locator => page.getByRole("button", { name: /^Example|Example$/ });
/** The fields of a trial. */
export const value = (page: Page, name: string): Locator => page.getByRole("textbox", { name, exact: true });
export const message = (page: Page): Locator => page.getByRole("textbox", { name: /^Message/ });

/** Chooses an example by its name, or none. */
export async function choose(page: Page, name: string): Promise<void> {
  await chosen(page).click();
  await page.getByRole("option", { name, exact: true }).click();
}

/** Where all are tried, and the answer to one of them. */
export const all = (page: Page): Locator => page.getByRole("region", { name: "All examples" });
export const answerTo = (page: Page, name: string): Locator =>
  all(page).getByRole("listitem").filter({ hasText: name });

/** Presses the button that asks what a try of all costs. @returns the question that says so */
export async function askToTryAll(page: Page, button = /^Try/): Promise<Locator> {
  await all(page).getByRole("button", { name: button }).click();
  const question = page.getByRole("alertdialog", { name: "Try all examples?" });
  await expect(question).toBeVisible();
  return question;
}
