import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { dropFiles } from "@/e2e/support/drop-file";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { pastePicture } from "@/e2e/support/paste-text";

/** A file that nothing takes is opened by the browser: in place of the panel, or in a new tab as here. */

usePanelOwner();

let folder: string;
let files: string[];

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dropped-"));
  files = ["one.md", "two.md"].map((name) => join(folder, name));
  for (const file of files) await writeFile(file, `# ${file}`);
});

test.afterAll(() => rm(folder, { recursive: true }));

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const fieldForFiles = (page: Page) => page.getByRole("form", { name: "The call" }).locator("input[type=file]");
const namesIn = (page: Page) =>
  fieldForFiles(page).evaluate((field: HTMLInputElement) => [...(field.files ?? [])].map(({ name }) => name));

test("files that are dropped anywhere on the playground are in its field, and in the call", async ({ page }) => {
  await page.goto("/panel/playground?endpoint=startBatch");
  await dropFiles(page, heading(page), files);
  expect(await namesIn(page)).toEqual(["one.md", "two.md"]);
  await expect(page.getByRole("region", { name: "The same call as code" })).toContainText("two.md");
  await dropFiles(page, page.getByRole("textbox", { name: "prompt" }).first(), files.slice(1));
  expect(await namesIn(page)).toEqual(["two.md"]);
  await dropFiles(page, fieldForFiles(page), files);
  expect(await namesIn(page)).toEqual(["one.md", "two.md"]);
});

test("of many files a field for one takes the first", async ({ page }) => {
  await page.goto("/panel/playground?endpoint=startProcess");
  await dropFiles(page, heading(page), files);
  expect(await namesIn(page)).toEqual(["one.md"]);
});

test("a picture that is pasted on the playground is in its field, beside a text it is not", async ({ page }) => {
  await page.goto("/panel/playground?endpoint=startProcess");
  const instruction = page.getByRole("textbox", { name: "prompt" }).first();
  await instruction.fill("What is on it? ");
  await pastePicture(page, "a cell");
  await expect(instruction).toHaveValue("What is on it? a cell");
  expect(await namesIn(page)).toEqual([]);
  await pastePicture(page);
  await expect(instruction).toHaveValue("What is on it? a cell");
  expect(await namesIn(page)).toEqual(["image.png"]);
  await expect(page.getByRole("region", { name: "The same call as code" })).toContainText("image.png");
});

test("files that are dropped on the list of knowledge are taken, and none while a question stands before it", async ({
  page,
}) => {
  await page.goto("/panel/knowledge");
  await dropFiles(page, heading(page), files);
  const dialog = page.getByRole("dialog", { name: "Upload files" });
  await expect(dialog.getByText("2 of 2 done").first()).toBeVisible();
  await dropFiles(page, dialog.getByRole("heading"), files.slice(1));
  await expect(dialog.getByText("2 of 2 done").first()).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("link", { name: /two\.md/ })).toBeVisible();
});

test("a file that is dropped where nothing takes it is not opened", async ({ page, context }) => {
  await page.goto("/panel/settings/project");
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Half written");
  const opened: string[] = [];
  context.on("page", (other) => opened.push(other.url()));
  await dropFiles(page, name, files);
  await dropFiles(page, heading(page), files);
  // A tab that one of them opened would have come before this one.
  await (await context.newPage()).close();
  expect(opened).toEqual(["about:blank"]);
  await expect(name).toHaveValue("Half written");
});
