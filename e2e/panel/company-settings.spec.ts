import { readFile } from "node:fs/promises";
import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { ageSignIn, cookieOf, panelAccount, signedInPage, signInContext } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { AUDIT, COMPANY, PROJECT, save, section } from "@/e2e/support/panel-settings";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

const own = usePanelOwner();

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
      (await prisma().account.findUniqueOrThrow({ where: { id: own.account.accountId } })).companyName;
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
    expect((await fetch(address, { headers: cookieOf(own.owner) })).status).toBe(404);
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
    await expect(detail).toContainText(own.owner.email);
    await expect(detail).toContainText("127.0.0.1");
    await expect(detail.getByRole("row", { name: /fileRetentionDays/ })).toContainText(/not set\s*7/);
    await expectWellMade(page, "audit-log-line");
    await page.keyboard.press("Escape");
    await expect(detail).toHaveCount(0);
    await page.getByRole("button", { name: "Remove the filter What" }).click();
    await expect(table).toContainText("API key created");
    await page.goto(`${AUDIT}?subject=${own.account.projectId}&actorId=${own.owner.userId}&from=2020-01-01`);
    await expect(table).toContainText("Project changed");
    const csv = await page.getByRole("link", { name: "CSV", exact: true }).getAttribute("href");
    const lines = (await (await page.request.get(csv ?? "")).text()).trimEnd().split("\r\n").slice(1);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain(own.account.projectId);
    const { after } = await prisma().auditEntry.findFirstOrThrow({ where: { action: "csv.audit" } });
    expect(after).toMatchObject({ subject: own.account.projectId, from: "2020-01-01T00:00:00.000Z" });
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
    const { page, context } = await signedInPage(browser, { account: own.account, timezoneId: "Asia/Dubai" });
    const subject = newId("apiKey");
    for (const [action, time] of [
      ["key.create", "14:29:59"],
      ["key.revoke", "14:30:00"],
    ] as const) {
      const createdAt = new Date(`2026-03-03T${time}Z`);
      const of = { accountId: own.account.accountId, actorId: own.owner.userId, actorKind: "owner", subject };
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
