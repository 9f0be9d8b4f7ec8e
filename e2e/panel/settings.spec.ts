import { expect } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { AUDIT, COMPANY, PROJECT, save, section } from "@/e2e/support/panel-settings";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

const HOSTILE = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;

const signedIn = usePanelOwner();

const stored = (projectId = signedIn.account.projectId) =>
  prisma().project.findUniqueOrThrow({ where: { id: projectId } });

test.describe("the project's settings", () => {
  test("show a name in Arabic as it is read, from the right, while it is written", async ({ page }) => {
    await page.goto(PROJECT);
    const name = section(page, "Name").getByRole("textbox");
    await name.fill("مشروع (١)");
    expect(await name.evaluate((field) => getComputedStyle(field).direction)).toBe("rtl");
    await name.fill("Project (1)");
    expect(await name.evaluate((field) => getComputedStyle(field).direction)).toBe("ltr");
  });

  test("change model and system prompt, and count its tokens while it is written", async ({ page }) => {
    await page.goto(PROJECT);
    const answers = section(page, "Answers");
    await expect(answers).toContainText(/Left empty: \S+\. Reads [\d,]+ tokens at once/);
    await page.getByRole("combobox", { name: "Model" }).fill("acme-1");
    await expect(answers).toContainText("This service does not know it");
    await page.getByRole("combobox", { name: "Model" }).fill("gpt-4.1-mini");
    await expect(answers).toContainText("Reads 1,047,576 tokens at once; 1,000 tokens cost 0.4 credits in, 1.6 out.");
    await page.getByRole("textbox", { name: "System prompt" }).fill("You answer in German. ".repeat(20));
    await expect(answers).toContainText(/About \d{2,} tokens/);
    await save(page, "Answers");
    await expectToast(page, "Saved. It holds from the next call on.");
    expect(await stored()).toMatchObject({ model: "gpt-4.1-mini", systemPrompt: expect.stringContaining("German") });
    await page.getByRole("combobox", { name: "Model" }).fill("no model!");
    await save(page, "Answers");
    await expect(page.getByText("Must be the name of a model, like gpt-4.1-mini.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "System prompt" })).toHaveValue(/German/);
    expect((await stored()).model).toBe("gpt-4.1-mini");
  });

  test("say what to do with an id that the browser does not copy", async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });
      document.execCommand = () => false;
    });
    await page.goto(PROJECT);
    await page.getByRole("button", { name: "Copy the project's id" }).click();
    await expectToast(page, "Select it and copy by hand.");
  });

  test("switch the API off, which refuses calls at once, and on again", async ({ page }) => {
    const api = apiClient(suite.url, signedIn.account.apiKey);
    await page.goto(PROJECT);
    const toggle = page.getByRole("switch", { name: /API on/ });
    await toggle.uncheck({ force: true });
    await page.getByRole("switch", { name: /Remember end users/ }).check({ force: true });
    await save(page, "API and memory");
    await expectToast(page, "Saved. It holds from the next call on.");
    expect(await stored()).toMatchObject({ apiEnabled: false, apiMemoryPerUser: true });
    expect((await api.get("/account")).status).toBe(403);
    await toggle.check({ force: true });
    await save(page, "API and memory");
    await expect.poll(async () => (await api.get("/account")).status).toBe(200);
  });

  test("keep things for days or without end, and refuse what is no count of days at its field", async ({ page }) => {
    await page.goto(PROJECT);
    await page.getByLabel("Sessions, days").fill("30");
    await page.getByLabel("Logs, days").fill("0");
    await save(page, "How long things are kept");
    await expect(page.getByLabel("Logs, days")).toHaveAccessibleDescription(/at least 1 day/);
    await expect(page.getByLabel("Sessions, days")).toHaveValue("30");
    expect((await stored()).sessionRetentionDays).toBeNull();
    await page.getByLabel("Logs, days").fill("");
    await save(page, "How long things are kept");
    await expectToast(page, "Saved. It holds from the next call on.");
    expect(await stored()).toMatchObject({ sessionRetentionDays: 30, fileRetentionDays: null, logRetentionDays: null });
  });

  test("keep nothing without end for a number that cannot be read, also when it is tried again", async ({ page }) => {
    const own = await panelAccount();
    await signInContext(page.context(), await own.addPerson("owner"));
    await page.goto(PROJECT);
    const days = page.getByLabel("Sessions, days");
    const trySave = async (text: string) => {
      await days.press("ControlOrMeta+a");
      await page.keyboard.type(text);
      await save(page, "How long things are kept");
    };
    await trySave("40");
    await expectToast(page, "Saved. It holds from the next call on.");
    // A thousand where it is written so, and one to JavaScript.
    await trySave("1.000");
    await expect(days).toHaveAccessibleDescription(/whole number of days/);
    await trySave("50-");
    await expect(days).toHaveAccessibleDescription(/enter a number/);
    await trySave("50");
    await expectToast(page, "Saved. It holds from the next call on.");
    const lines = await prisma().auditEntry.findMany({
      where: { accountId: own.accountId, action: "project.update" },
      orderBy: { id: "asc" },
    });
    expect(lines.map(({ after }) => after)).toEqual([{ sessionRetentionDays: 40 }, { sessionRetentionDays: 50 }]);
  });

  test("say that a pasted system prompt is too long for its field, until it is changed", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(PROJECT);
    const prompt = page.getByLabel("System prompt");
    const paste = async (length: number) => {
      await page.evaluate((text) => navigator.clipboard.writeText(text), "x".repeat(length));
      await prompt.press("ControlOrMeta+a");
      await prompt.press("ControlOrMeta+v");
    };
    const note = section(page, "Answers").getByRole("alert");
    await paste(20_000);
    await expect(prompt).toHaveValue("x".repeat(20_000));
    await expect(note).toHaveCount(0);
    await paste(20_001);
    await expect(note).toContainText("at most 20,000 characters fit, and the end of what you pasted was left out");
    await prompt.press("Backspace");
    await expect(note).toHaveCount(0);
  });

  test("make another project and show it from then on", async ({ page, context }) => {
    const person = await signedIn.account.addPerson("admin");
    await signInContext(context, person);
    await page.goto(`${PROJECT}?new=1`);
    await page.getByRole("textbox", { name: "Name" }).fill("Staging");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Staging");
    await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Staging");
    await page.goto("/panel/end-users");
    await expect(page.getByRole("button", { name: /^Project Staging/ })).toBeVisible();
    await page.goto(`${PROJECT}?new=1`);
    await page.getByRole("textbox", { name: "Name" }).fill("Staging");
    await page.getByRole("button", { name: "Create project" }).click();
    await expect(page.getByText("Is the name of another project.")).toBeVisible();
  });

  test("show a hostile name and prompt as text", async ({ page }) => {
    await page.goto(PROJECT);
    await page.getByRole("textbox", { name: "Name" }).fill(HOSTILE.replace("\u202e", ""));
    await save(page, "Name");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("<img src=x");
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await expectWellMade(page, "settings-project-hostile");
    await page.getByRole("textbox", { name: "Name" }).fill("Main product");
    await save(page, "Name");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Main product");
  });

  test("can be read by members and changed by none of them", async ({ page, context }) => {
    const person = await signedIn.account.addPerson("admin");
    await signInContext(context, person);
    await page.goto(PROJECT);
    await prisma().member.updateMany({ where: { userId: person.userId }, data: { role: "member" } });
    await page.getByRole("textbox", { name: "Name" }).fill("Mine now");
    await save(page, "Name");
    await expect(page.getByText("Your role does not allow this any more.").last()).toBeVisible();
    expect((await stored()).name).not.toBe("Mine now");
    await page.goto(`${PROJECT}?new=1`);
    await expect(page.getByRole("button", { name: /Save|Create/ })).toHaveCount(0);
    await expect(section(page, "Settings")).toContainText("System prompt");
    await page.goto(COMPANY);
    await expect(page.getByRole("button", { name: /Save|Erase/ })).toHaveCount(0);
    await page.goto(AUDIT);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
  });

  test("are well made: to change, to read, and for another project", async ({ page, context }) => {
    const other = await panelAccount();
    await prisma().project.update({
      where: { id: other.projectId },
      data: {
        name: "Delivery notes",
        systemPrompt: "You read delivery notes.\n\nAnswer in the language of the question.",
      },
    });
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(PROJECT);
    await expectWellMade(page, "settings-project");
    await page.goto(`${PROJECT}?new=1`);
    await expectWellMade(page, "settings-project-new");
    await signInContext(context, await other.addPerson("member"));
    await page.goto(PROJECT);
    await expectWellMade(page, "settings-project-member");
  });
});

test("the link of the open page is in sight on a phone, also where not all of them fit", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(AUDIT);
  const links = page.getByRole("navigation", { name: "Settings" });
  await expect(links.getByRole("link", { name: "Audit log" })).toBeInViewport({ ratio: 1 });
  await links.getByRole("link", { name: "Your account" }).click();
  await expect(page).toHaveURL("/panel/settings/account");
  await expect(links.getByRole("link", { name: "Your account" })).toBeInViewport({ ratio: 1 });
});
