import { readFile } from "node:fs/promises";
import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  ageSignIn,
  cookieOf,
  type PanelAccount,
  panelAccount,
  signedInPage,
  signInContext,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

const PROJECT = "/panel/settings/project";
const COMPANY = "/panel/settings/company";
const AUDIT = "/panel/settings/audit-log";
const HOSTILE = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;

let account: PanelAccount;
let owner: TestPerson;

test.beforeAll(async () => {
  account = await panelAccount();
  owner = await account.addPerson("owner");
});

test.beforeEach(({ context }) => signInContext(context, owner));

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const save = (page: Page, name: string) => section(page, name).getByRole("button", { name: "Save" }).click();
const stored = (projectId = account.projectId) => prisma().project.findUniqueOrThrow({ where: { id: projectId } });

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

  test("ask before a system prompt that is not saved is lost", async ({ page }) => {
    await page.goto(PROJECT);
    await page.getByRole("textbox", { name: "System prompt" }).fill("A long thought\n");
    const leave = () => page.getByRole("link", { name: "Team", exact: true }).click();
    await leave();
    await page
      .getByRole("alertdialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" })
      .click();
    await save(page, "Answers");
    await expectToast(page, "Saved. It holds from the next call on.");
    await leave();
    await expect(page).toHaveURL(/\/team$/);
  });

  test("undo nothing that another tab saved meanwhile unseen, such as a switch that is off", async ({
    page,
    context,
  }) => {
    const own = await panelAccount();
    await signInContext(context, await own.addPerson("owner"));
    const other = await context.newPage();
    await Promise.all([page, other].map((tab) => tab.goto(PROJECT)));
    await other.getByRole("switch", { name: /API on/ }).uncheck({ force: true });
    await save(other, "API and memory");
    await expectToast(other, "Saved. It holds from the next call on.");
    await page.getByRole("switch", { name: /Remember end users/ }).check({ force: true });
    await save(page, "API and memory");
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this project meanwhile" });
    await expect(question).toContainText("API on");
    expect(await stored(own.projectId)).toMatchObject({ apiEnabled: false, apiMemoryPerUser: false });
    await question.getByRole("button", { name: "Take theirs" }).click();
    await expect(page.getByRole("switch", { name: /API on/ })).not.toBeChecked();

    // Another form of the page, which nobody else has saved.
    await page.getByRole("textbox", { name: "System prompt" }).fill("Mine");
    await prisma().project.update({ where: { id: own.projectId }, data: { systemPrompt: "Theirs" } });
    await save(page, "Answers");
    await expect(question).toContainText("Theirs");
    expect((await stored(own.projectId)).systemPrompt).toBe("Theirs");
    await expectWellMade(page, "project-conflict");
    await question.getByRole("button", { name: "Save mine" }).click();
    await expectToast(page, "Saved. It holds from the next call on.");
    expect((await stored(own.projectId)).systemPrompt).toBe("Mine");
    await expect(question).toHaveCount(0);
  });

  test("ask once before what two forms hold is lost", async ({ page }) => {
    await page.goto(PROJECT);
    await section(page, "Name").getByRole("textbox").fill("Half a name");
    await page.getByLabel("Sessions, days").fill("30");
    await page.getByRole("link", { name: "Team", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await expect(question).toHaveCount(1);
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL(/\/team$/);
    await page.getByLabel("E-mail").fill("half@an.address");
    await page.getByRole("link", { name: "Company", exact: true }).click();
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(page.getByLabel("E-mail")).toHaveValue("half@an.address");
  });

  test("lead on by themselves once what was being saved as one left is saved, unless another form would be lost", async ({
    page,
  }) => {
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    /** Saves the name, and leaves while that is under way; gives what lets it be saved. */
    const leaveWhileSaving = async (name: string) => {
      const held = Promise.withResolvers<void>();
      await page.route("**/panel/settings/project", async (route) => {
        if (route.request().postData()?.includes(name)) await held.promise;
        await route.continue();
      });
      await section(page, "Name").getByRole("textbox").fill(name);
      const isSent = page.waitForRequest((request) => request.postData()?.includes(name) ?? false);
      await save(page, "Name");
      await isSent;
      await page.getByRole("link", { name: "Team", exact: true }).click();
      await expect(question).toContainText("not saved yet");
      return held.resolve;
    };
    await page.goto(PROJECT);
    (await leaveWhileSaving("Left at once"))();
    await expect(page).toHaveURL(/\/team$/);
    await expect(question).toHaveCount(0);
    await page.unrouteAll({ behavior: "wait" });

    await page.goto(PROJECT);
    await page.getByLabel("Sessions, days").fill("30");
    (await leaveWhileSaving("Left at once too"))();
    await expectToast(page, "Saved");
    await expect(question).toHaveCount(1);
    await expect(page).toHaveURL(/\/project$/);
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(page.getByLabel("Sessions, days")).toHaveValue("30");
    await page.unrouteAll({ behavior: "wait" });
  });

  test("switch the API off, which refuses calls at once, and on again", async ({ page }) => {
    const api = apiClient(suite.url, account.apiKey);
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
    const person = await account.addPerson("admin");
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
    const person = await account.addPerson("admin");
    await signInContext(context, person);
    await page.goto(PROJECT);
    await prisma().member.updateMany({ where: { userId: person.userId }, data: { role: "member" } });
    await page.getByRole("textbox", { name: "Name" }).fill("Mine now");
    await save(page, "Name");
    await expect(page.getByText("Your role does not allow this any more.")).toBeVisible();
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

test.describe("the company", () => {
  test("is renamed everywhere", async ({ page }) => {
    await page.goto(COMPANY);
    await page.getByRole("textbox", { name: "Company name" }).fill("Nordlicht");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("button", { name: /^Project .* Nordlicht/ })).toBeVisible();
    await page.getByRole("textbox", { name: "Company name" }).fill("   ");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Must have 1 to 200 characters.")).toBeVisible();
    await expectWellMade(page, "settings-company");
  });

  test("keeps the name that another tab gave it meanwhile, until its reader has seen both", async ({
    page,
    context,
  }) => {
    await page.goto(COMPANY);
    const tab = await context.newPage();
    await tab.goto(COMPANY);
    const rename = async (on: Page, name: string) => {
      await on.getByRole("textbox", { name: "Company name" }).fill(name);
      await on.getByRole("button", { name: "Save" }).click();
    };
    const nameNow = async () =>
      (await prisma().account.findUniqueOrThrow({ where: { id: account.accountId } })).companyName;
    await rename(tab, "Südlicht");
    await expectToast(tab, "Saved");
    await rename(page, "Westlicht");
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this company name meanwhile" });
    await expect(question).toContainText("Südlicht");
    expect(await nameNow()).toBe("Südlicht");
    await question.getByRole("button", { name: "Save mine" }).click();
    await expectToast(page, "Saved");
    expect(await nameNow()).toBe("Westlicht");
  });

  test("says in words how its verification stands", async ({ page, context }) => {
    const waiting = await panelAccount();
    await prisma().account.update({ where: { id: waiting.accountId }, data: { verificationStatus: "unsubmitted" } });
    await signInContext(context, await waiting.addPerson("owner"));
    await page.goto(COMPANY);
    await expect(page.getByRole("main").getByRole("link", { name: "Not handed in yet" })).toBeVisible();
    await expect(page.getByText("unsubmitted")).toHaveCount(0);
  });

  test("is exported whole by its owner alone, with the password; the file is for owners", async ({ page, context }) => {
    const exported = await panelAccount();
    const [person, admin] = [await exported.addPerson("owner"), await exported.addPerson("admin")];
    await signInContext(context, admin);
    await page.goto(COMPANY);
    await expect(page.getByRole("heading", { name: "Export everything" })).toHaveCount(0);
    await signInContext(context, person);
    await ageSignIn(person);
    await page.goto(COMPANY);
    await section(page, "Export everything").getByRole("button", { name: "Export" }).click();
    const prompt = page.getByRole("dialog", { name: "Confirm that it is you" });
    await prompt.getByLabel("Password").fill(person.password);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    const link = section(page, "Export everything").getByRole("link", { name: /^Download/ });
    await expect(link).toBeVisible();
    await expect(section(page, "Export everything")).toContainText("API keys, without the keys themselves");
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const [head] = (await readFile(await download.path(), "utf8")).split("\n");
    expect(JSON.parse(head ?? "")).toMatchObject({ format: "account-export", accountId: exported.accountId });
    const address = new URL((await link.getAttribute("href")) ?? "", suite.url);
    expect((await fetch(address, { headers: cookieOf(admin) })).status).toBe(404);
    expect((await fetch(address, { headers: cookieOf(owner) })).status).toBe(404);
    await page.reload();
    await expectWellMade(page, "settings-company-export");
  });

  test("is erased by its owner alone, with the password and the typed name; its keys stop at once", async ({
    page,
    context,
  }) => {
    const doomed = await panelAccount();
    const [person, admin] = [await doomed.addPerson("owner"), await doomed.addPerson("admin")];
    await signInContext(context, admin);
    await page.goto(COMPANY);
    await expect(page.getByRole("button", { name: "Erase the account" })).toHaveCount(0);
    await signInContext(context, person);
    await ageSignIn(person);
    await page.goto(COMPANY);
    await page.getByRole("button", { name: "Erase the account" }).click();
    const question = page.getByRole("alertdialog", { name: "Erase this account?" });
    await expect(question.getByRole("button", { name: "Erase the account" })).toBeDisabled();
    await question.getByRole("textbox").fill("Test Company");
    await question.getByRole("button", { name: "Erase the account" }).click();
    const prompt = page.getByRole("dialog", { name: "Confirm that it is you" });
    await prompt.getByLabel("Password").fill(person.password);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    const api = apiClient(suite.url, doomed.apiKey);
    await expect.poll(async () => (await api.get("/account")).status).toBe(401);
    await expect.poll(() => prisma().account.count({ where: { id: doomed.accountId } })).toBe(0);
    expect(await prisma().user.count({ where: { id: person.userId } })).toBe(0);
    // The panel leads away by itself meanwhile, which may cut a navigation of ours short.
    await expect(async () => {
      await page.goto(COMPANY);
      expect(page.url()).toContain("sign-in");
    }).toPass();
  });
});

test.describe("the audit log", () => {
  test("says who changed what from where, before and after, and filters by the address", async ({ page }) => {
    await page.goto(PROJECT);
    await page.getByLabel("Files, days").fill("7");
    await save(page, "How long things are kept");
    await expectToast(page, "Saved. It holds from the next call on.");
    await page.goto(`${AUDIT}?action=project`);
    const table = page.getByRole("table", { name: "Audit log" });
    await expect(table.getByRole("row").nth(1)).toContainText("Project changed");
    await expect(table).not.toContainText("API key created");
    await table.getByRole("link").first().click();
    const detail = page.getByRole("dialog", { name: "Project changed" });
    await expect(detail).toContainText(owner.email);
    await expect(detail).toContainText("127.0.0.1");
    await expect(detail.getByRole("row", { name: /fileRetentionDays/ })).toContainText(/not set\s*7/);
    await expectWellMade(page, "audit-log-line");
    await page.keyboard.press("Escape");
    await expect(detail).toHaveCount(0);
    await page.getByRole("button", { name: "Remove the filter What" }).click();
    await expect(table).toContainText("API key created");
    await page.goto(`${AUDIT}?subject=${account.projectId}&actorId=${owner.userId}&from=2020-01-01`);
    await expect(table).toContainText("Project changed");
    const csv = await page.getByRole("link", { name: "CSV", exact: true }).getAttribute("href");
    const lines = (await (await page.request.get(csv ?? "")).text()).trimEnd().split("\r\n").slice(1);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain(account.projectId);
    const { after } = await prisma().auditEntry.findFirstOrThrow({ where: { action: "csv.audit" } });
    expect(after).toMatchObject({ subject: account.projectId, from: "2020-01-01T00:00:00.000Z" });
    await page.goto(`${AUDIT}?subject=nothing`);
    await expect(page.getByText("No line is like that")).toBeVisible();
    for (const filter of ["from=bent", "subject=%00"]) {
      await page.goto(`${AUDIT}?${filter}`);
      await expect(page.getByText("This filter cannot be read")).toBeVisible();
    }
    await page.goto(`${AUDIT}?cursor=bent`);
    await expect(table).toContainText("API key created");
    await expectWellMade(page, "audit-log");
  });

  test("takes and shows times in the reader's own zone, and gives the same lines as a file", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account, timezoneId: "Asia/Dubai" });
    const subject = newId("apiKey");
    for (const [action, time] of [
      ["key.create", "14:29:59"],
      ["key.revoke", "14:30:00"],
    ] as const) {
      const createdAt = new Date(`2026-03-03T${time}Z`);
      const of = { accountId: account.accountId, actorId: owner.userId, actorKind: "owner", subject };
      await prisma().auditEntry.create({ data: { id: newId("audit"), ...of, action, createdAt } });
    }
    await page.goto(`${AUDIT}?subject=${subject}`);
    await page.getByRole("button", { name: "When", exact: true }).click();
    await page.getByLabel("From (Asia/Dubai)").fill("2026-03-03");
    await page.getByLabel("From what time (Asia/Dubai)").fill("18:30");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(`${AUDIT}?subject=${subject}&from=2026-03-03T14%3A30%3A00.000Z`);
    const rows = page.getByRole("table", { name: "Audit log" }).locator("tbody tr");
    await expect(rows).toHaveText([/API key revoked/]);
    await expect(page.getByRole("button", { name: "When from 2026-03-03 18:30 UTC+4" })).toBeVisible();
    await expectWellMade(page, "audit-log-zone");
    const csv = await page.getByRole("link", { name: "CSV", exact: true }).getAttribute("href");
    const lines = (await (await page.request.get(csv ?? "")).text()).trimEnd().split("\r\n").slice(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("key.revoke");
    await context.close();
  });

  test("shows nothing of another company", async ({ page }) => {
    const theirs = await panelAccount();
    const line = await prisma().auditEntry.findFirstOrThrow({ where: { accountId: theirs.accountId } });
    await page.goto(`${AUDIT}?line=${line.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit log");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.goto(`${AUDIT}?subject=${theirs.accountId}`);
    await expect(page.getByText("No line is like that")).toBeVisible();
  });
});
