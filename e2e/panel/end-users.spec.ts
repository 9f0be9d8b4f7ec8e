import { readFile } from "node:fs/promises";
import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { finishedChat } from "@/e2e/support/finished-chat";
import { expectToast, loseAnswers } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { ageSignIn, cookieOf, panelAccount, signInContext, type TestPerson } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { forgetMemory } from "@/lib/services/memory/forget-memory";
import { getMemory } from "@/lib/services/memory/get-memory";

const PATH = "/panel/end-users";
const HOSTILE = `<img src=x onerror="window.hacked=1"> [press](javascript:window.hacked=1) ![](https://spy.invalid/x.png)`;

const own = usePanelOwner();

test.beforeAll(async () => {
  await prisma().project.update({ where: { id: own.account.projectId }, data: { apiMemoryPerUser: true } });
});

const pageOf = (endUserId: string, tab = "") => `${PATH}/${encodeURIComponent(endUserId)}${tab && `?tab=${tab}`}`;
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
/** The editor itself, not the plain field that stands there until its code has come. */
const editor = (page: Page) =>
  page.locator(".cm-content").and(page.getByRole("textbox", { name: "What is remembered" }));

/** Calls the API for an end user and waits for the answer. */
const say = (endUserId: string, message = "Hello") =>
  finishedChat(apiClient(suite.url, own.account.apiKey), message, { endUserId });

/** An end user of whom nothing is being learned. */
const name = (endUserId: string, projectId = own.account.projectId) =>
  prisma().endUser.create({ data: { projectId, endUserId } });

async function learn(endUserId: string, fact: string): Promise<string> {
  const before = (await getMemory(own.account, endUserId))?.version ?? 0;
  const sessionId = await say(endUserId, `Remember this [[answer:- ${fact}]]`);
  await expect.poll(async () => (await getMemory(own.account, endUserId))?.version ?? 0).toBeGreaterThan(before);
  return sessionId;
}

async function write(page: Page, text: string) {
  await editor(page).fill(text);
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

/** Runs in the page. Where the first word of each line of figures stands, in pixels from the left. */
function startsOfLines(figures: Element): number[] {
  const places = [...figures.querySelectorAll("dt")].map((figure) => figure.getBoundingClientRect());
  return places.filter(({ top }, index) => top !== places[index - 1]?.top).map(({ left }) => Math.round(left));
}

test("the figures of an end user begin at the left in each line, where there are more than one", async ({ page }) => {
  await name("figures@example.com");
  await page.setViewportSize({ width: 640, height: 900 });
  await page.goto(pageOf("figures@example.com"));
  const figures = page.getByRole("main").locator("dl").first();
  await figures.evaluate((list) => Object.assign((list as HTMLElement).style, { maxWidth: "400px" }));
  const starts = await figures.evaluate(startsOfLines);
  expect(starts.length).toBeGreaterThan(1);
  expect(new Set(starts)).toEqual(new Set(starts.slice(0, 1)));
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("an end user's page leads to their calls, deliveries and use, and to nobody else's", async ({ page }) => {
  const endUserId = "a+b@example.com";
  await name(endUserId);
  for (const [link, path] of [
    ["calls", "/panel/api-b2b/logs"],
    ["deliveries", "/panel/api-b2b/webhooks"],
    ["usage", "/panel/usage"],
  ] as const) {
    await page.goto(pageOf(endUserId));
    await page.getByRole("main").getByRole("link", { name: link, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`^[^?]*${path}[?]`));
    expect(new URL(page.url()).searchParams.get("endUserId")).toBe(endUserId);
    await expect(page.getByRole("button", { name: `End user ${endUserId}`, exact: true })).toBeVisible();
  }
});

test.describe("end users", () => {
  test("lists who was named in calls, finds them by how their id begins, and shows what they used and asked", async ({
    page,
  }) => {
    const sessionId = await say("list:ada@example.com", "What is tea?");
    await say("list:bob");
    await page.goto(PATH);
    await expect(row(page, "list:bob")).toContainText(/just now|ago/);
    await page.getByRole("button", { name: "Id begins with" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("list:a");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/q=list/);
    await expect(row(page, "list:ada")).toBeVisible();
    await expect(row(page, "list:bob")).toHaveCount(0);
    await row(page, "list:ada").getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("list:ada@example.com");
    await expect(row(page, "What is tea?").getByRole("link")).toHaveAttribute("href", `/panel/sessions/${sessionId}`);
    await page.goto(`${PATH}?q=nobody`);
    await expect(page.getByText("No end user begins so")).toBeVisible();
    await page.goto(`${PATH}?cursor=bent`);
    await expect(row(page, "list:bob")).toBeVisible();
  });

  test("shows which session taught what, and what each version changed", async ({ page }) => {
    const sessionId = await learn("memory:ada", "Drinks tea");
    await page.goto(pageOf("memory:ada", "memory"));
    await expect(editor(page)).toContainText("Drinks tea");
    await write(page, "- Drinks coffee");
    await expectToast(page, "Saved as version 2");
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeFocused();
    await page.getByRole("link", { name: "Version 1" }).click();
    await expect(page.getByRole("dialog", { name: "Version 1" })).toContainText("Learned from");
    await expect(page.getByRole("dialog").getByRole("link", { name: sessionId })).toBeVisible();
    await page.getByRole("link", { name: "Close" }).click();
    await page.getByRole("link", { name: "Version 2" }).click();
    await expect(page.getByRole("dialog", { name: "Version 2" })).toContainText("Written by a person");
    await expect(page.getByRole("dialog").getByText("coffee").first()).toBeVisible();
  });

  test("saves over nothing that was learned meanwhile", async ({ page }) => {
    await name("conflict:ada");
    await editMemory(OPERATOR, own.account, { endUserId: "conflict:ada", content: "- First" });
    await page.goto(pageOf("conflict:ada", "memory"));
    await expect(editor(page)).toContainText("First");
    await editMemory(OPERATOR, own.account, { endUserId: "conflict:ada", content: "- Learned meanwhile" });
    await write(page, "- Mine");
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this profile meanwhile" });
    await expect(question).toContainText("Learned meanwhile");
    expect((await getMemory(own.account, "conflict:ada"))?.content).toBe("- Learned meanwhile");
    await question.getByRole("button", { name: "Save mine" }).click();
    await expectToast(page, "Saved as version 3");
    expect((await getMemory(own.account, "conflict:ada"))?.content).toBe("- Mine");
  });

  test("keeps what is typed when somebody forgets the profile meanwhile, and asks before it is saved", async ({
    page,
  }) => {
    await name("forgotten:ada");
    await editMemory(OPERATOR, own.account, { endUserId: "forgotten:ada", content: "- First" });
    await page.goto(pageOf("forgotten:ada", "memory"));
    await expect(editor(page)).toContainText("First");
    await forgetMemory(OPERATOR, own.account, "forgotten:ada");
    await write(page, "- Mine");
    const question = page.getByRole("alertdialog", { name: "Somebody else forgot this profile meanwhile" });
    await expect(page.getByText("What was said before is not learned again.")).toBeAttached();
    await expect(question).toContainText("what stood here is gone");
    await expectWellMade(page, "memory-forgotten-meanwhile");
    expect((await getMemory(own.account, "forgotten:ada"))?.content).toBe("");
    await question.getByRole("button", { name: "Save mine" }).click();
    await expectToast(page, "Saved as version 3");
    expect((await getMemory(own.account, "forgotten:ada"))?.content).toBe("- Mine");
    await expect(editor(page)).toContainText("Mine");
  });

  test("says that it is saved when the answer was lost and it is saved again, and has it once", async ({
    page,
    faults,
  }) => {
    await name("lost:ada");
    await page.goto(pageOf("lost:ada", "memory"));
    await loseAnswers(page);
    await write(page, "- Drinks tea");
    await expectToast(page, "It is not known whether anything changed");
    // What the page asks for by itself meanwhile has come back too.
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "Saved as version 1");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await getMemory(own.account, "lost:ada")).toMatchObject({ content: "- Drinks tea", version: 1 });
    // The browser itself reports what did not answer.
    faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
  });

  test("forgets when the id is typed, with all versions", async ({ page }) => {
    await learn("forget:ada", "Drinks tea");
    await page.goto(pageOf("forget:ada", "memory"));
    await page.getByRole("button", { name: "Forget" }).click();
    const question = page.getByRole("alertdialog");
    await expect(question.getByRole("button", { name: "Forget" })).toBeDisabled();
    await question.getByRole("textbox").fill("forget:ada");
    await question.getByRole("button", { name: "Forget" }).click();
    await expect(page.getByText("What was said before is not learned again.")).toBeVisible();
    await expect(editor(page)).not.toContainText("tea");
    await expect(page.getByRole("table", { name: "Versions" })).toHaveCount(0);
    expect((await getMemory(own.account, "forget:ada"))?.content).toBe("");
  });

  test("exports in the background, shows the file when it is ready, and what is in it", async ({ page }) => {
    await say("export:ada", "My words for the export");
    await page.goto(pageOf("export:ada", "data"));
    await page.getByRole("button", { name: "Export" }).click();
    const link = page.getByRole("link", { name: /^Download/ });
    await expect(link).toBeVisible();
    const href = (await link.getAttribute("href")) ?? "";
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const lines = (await readFile(await download.path(), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ format: "end-user-export", endUserId: "export:ada" });
    expect(JSON.stringify(lines)).toContain("My words for the export");
    await expect(page.getByRole("listitem").filter({ hasText: "asked for" })).toContainText("Messages");
    await page.goto(`${PATH}?tab=receipts`);
    await expect(page.getByRole("link", { name: "export:ada" })).toBeVisible();
    const member = await own.account.addPerson("member");
    for (const place of [`${PATH}?tab=receipts`, pageOf("export:ada", "data")]) {
      const [shown, toMember] = await Promise.all(
        [own.owner, member].map(async (person) =>
          (await fetch(new URL(place, suite.url), { headers: cookieOf(person) })).text(),
        ),
      );
      expect(shown).toContain("/panel/end-users/exports/");
      expect(toMember).toContain("asked for");
      expect(toMember, "who may not export is offered no export").not.toContain("/panel/end-users/exports/");
    }
    const take = async (person: TestPerson) =>
      (await fetch(new URL(href, suite.url), { headers: cookieOf(person), redirect: "manual" })).status;
    const admin = await own.account.addPerson("admin");
    expect([await take(admin), await take(member)]).toEqual([200, 404]);
    await prisma().member.deleteMany({ where: { userId: admin.userId } });
    expect(await take(admin), "who was removed has nothing of the address").toBe(404);
  });

  test("erases after the password and the typed id, and keeps a receipt with counts", async ({ page, context }) => {
    const sessionId = await say("erase:ada");
    const other = await own.account.addPerson("admin");
    await signInContext(context, other);
    await ageSignIn(other);
    await page.goto(pageOf("erase:ada", "data"));
    await page.getByRole("button", { name: "Erase" }).click();
    const question = page.getByRole("alertdialog", { name: "Erase this end user?" });
    await expect(question.getByRole("button", { name: "Erase everything" })).toBeDisabled();
    await question.getByRole("textbox").fill("erase:ada");
    await question.getByRole("button", { name: "Erase everything" }).click();
    const prompt = page.getByRole("dialog", { name: "Confirm that it is you" });
    await prompt.getByLabel("Password").fill(other.password);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByText("Nothing is kept of this end user.")).toBeVisible();
    expect(await prisma().session.count({ where: { id: sessionId } })).toBe(0);
    const receipt = page.getByRole("main").getByRole("listitem").filter({ hasText: "Erasure" });
    await expect(receipt).toContainText("under way");
    const { id } = await prisma().dataRequest.findFirstOrThrow({ where: { subject: "erase:ada", kind: "erase" } });
    await finishErasure(id);
    await expect(receipt).toContainText("done");
    await expect(receipt).toContainText(/Sessions\s*1/);
    await page.goto(`${PATH}?tab=receipts`);
    await expect(page.getByText("of somebody who is erased")).toBeVisible();
    await expectWellMade(page, "end-users-receipts");
  });

  test("lets members read and nothing more", async ({ page, context }) => {
    await name("member:ada");
    await editMemory(OPERATOR, own.account, { endUserId: "member:ada", content: "- Drinks tea" });
    const member = await own.account.addPerson("admin");
    await signInContext(context, member);
    await page.goto(pageOf("member:ada", "memory"));
    await expect(editor(page)).toContainText("Drinks tea");
    await prisma().member.updateMany({ where: { userId: member.userId }, data: { role: "member" } });
    await write(page, "- Changed");
    await expect(page.getByText("Your role does not allow this any more.").last()).toBeVisible();
    expect((await getMemory(own.account, "member:ada"))?.content).toBe("- Drinks tea");
    await page.reload();
    await expect(page.getByText("Drinks tea").first()).toBeVisible();
    await expect(page.getByRole("button", { name: /Save|Forget/ })).toHaveCount(0);
    await page.goto(pageOf("member:ada", "data"));
    await expect(page.getByText("No receipts yet")).toBeVisible();
    await expect(page.getByRole("button", { name: /Export|Erase/ })).toHaveCount(0);
  });

  test("shows nothing of another company's end user, and no page for what is no id", async ({ page, faults }) => {
    const theirs = await panelAccount();
    await name("theirs:ada", theirs.projectId);
    await editMemory(OPERATOR, theirs, { endUserId: "theirs:ada", content: "- Secret" });
    for (const id of ["theirs:ada", "..%2Fx", "%00"]) {
      await page.goto(`${PATH}/${id}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
    }
    faults.errors.length = 0;
  });

  test("shows hostile profiles as text", async ({ page }) => {
    await name("hostile:ada");
    await editMemory(OPERATOR, own.account, { endUserId: "hostile:ada", content: HOSTILE });
    await page.goto(pageOf("hostile:ada", "memory"));
    await expect(page.getByText("press").first()).toBeVisible();
    await expect(page.locator("a[href^='javascript']")).toHaveCount(0);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("is well made: list, overview, memory and data, and empty", async ({ page, context }) => {
    await learn("customer-42", "Prefers answers in German");
    await editMemory(OPERATOR, own.account, {
      endUserId: "customer-42",
      content: "- Prefers answers in German\n- Calls on Mondays",
    });
    await say(`long-${"x".repeat(120)}`);
    await page.goto(PATH);
    await expectWellMade(page, "end-users");
    await page.goto(pageOf("customer-42"));
    await expectWellMade(page, "end-user");
    await page.goto(pageOf("customer-42", "memory"));
    await expect(page.locator(".cm-content")).toBeVisible();
    await expectWellMade(page, "end-user-memory");
    await page.goto(pageOf("customer-42", "data"));
    await expectWellMade(page, "end-user-data");
    const fresh = await panelAccount();
    await signInContext(context, await fresh.addPerson("owner"));
    await page.goto(PATH);
    await expect(page.getByText("No end users yet")).toBeVisible();
    await expectWellMade(page, "end-users-empty");
  });
});
