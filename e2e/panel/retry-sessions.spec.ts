import { randomUUID } from "node:crypto";
import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { pathOf, SESSIONS, turn, useSessionOwner } from "@/e2e/support/panel-sessions";
import { releaseModel, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

const { api, finished, processed } = useSessionOwner();

const tryAgain = (page: Page) => page.getByRole("button", { name: "Try again", exact: true });
const tryAll = (page: Page) => page.getByRole("button", { name: "Try all again", exact: true });

test.describe("a session that failed", () => {
  test("is tried again by a press, with its file; its page follows it to the answer", async ({ page }) => {
    const marker = randomUUID();
    const id = await processed("letter.txt", `Dear ${marker}`, "Sum up [[fail:400:1]] [[answer:All is well]]");
    await page.goto(pathOf(id));
    await expectWellMade(page, "session-failed");
    await tryAgain(page).click();
    await expect(turn(page, 2)).toContainText("All is well", { timeout: 15_000 });
    await expect(turn(page, 2)).toContainText("letter.txt");
    await expect(turn(page, 2)).toContainText("from the panel");
    await expect(turn(page, 2).getByRole("link", { name: "See the call" })).toHaveCount(0);
    await expect(turn(page, 1)).toContainText("failed");
    await expect(tryAgain(page)).toHaveCount(0, { timeout: 15_000 });
    await expectWellMade(page, "session-tried-again");
    expect(await prisma().auditEntry.count({ where: { action: "session.retry", subject: id } })).toBe(1);
  });

  test("says why it cannot be tried again where its file is kept no longer", async ({ page }) => {
    const id = await processed("letter.txt", "Dear all", "Sum up [[fail:400]]");
    await prisma().storedFile.updateMany({ where: { sessionId: id }, data: { deletedAt: new Date() } });
    await page.goto(pathOf(id));
    await tryAgain(page).click();
    await expectToast(page, "kept no longer: send it again");
    expect(await prisma().turn.count({ where: { sessionId: id } })).toBe(1);
  });

  test("that was answered is not on offer", async ({ page }) => {
    const id = await finished("Hello");
    await page.goto(pathOf(id));
    await expect(page.getByRole("link", { name: "Continue in the playground" })).toBeVisible();
    await expect(tryAgain(page)).toHaveCount(0);
    expect((await api().get(`/chat/${id}`)).body).toMatchObject({ status: "completed" });
  });
});

test.describe("the list of what failed", () => {
  test("is tried again as a whole by those who may, and says how many run again", async ({ page, context }) => {
    const other = await panelAccount();
    const client = apiClient(suite.url, other.apiKey);
    const mine = await Promise.all(
      [1, 2, 3].map((n) => finished(`${n} [[fail:400:1]] ${randomUUID()}`, { endUserId: "ada" }, client)),
    );
    const bobs = await finished(`Not mine [[fail:400:1]] ${randomUUID()}`, { endUserId: "bob" }, client);
    await signInContext(context, await other.addPerson("admin"));
    await page.goto(`${SESSIONS}?endUserId=ada`);
    await expect(page.getByRole("row")).toHaveCount(4);
    await expect(tryAll(page), "of a list of all kinds").toHaveCount(0);
    await page.goto(`${SESSIONS}?endUserId=ada&status=unanswered`);
    await expectWellMade(page, "sessions-failed");
    await tryAll(page).click();
    await expect(page.getByRole("alertdialog")).toContainText("on all its pages");
    await expectWellMade(page, "sessions-try-all-again");
    await page.getByRole("button", { name: "Try them again" }).click();
    await expectToast(page, "3 sessions run again.");
    for (const id of mine) await client.waitUntilDone(`/chat/${id}`);
    const { body } = await client.get<{ data: { id: string }[] }>("/chat/sessions?status=completed");
    expect(body.data.map(({ id }) => id).sort()).toEqual(mine.sort());
    expect((await client.get(`/chat/${bobs}`)).body).toMatchObject({ status: "failed" });
    await signInContext(context, await other.addPerson("member"));
    await page.goto(`${SESSIONS}?status=failed`);
    await expect(page.getByRole("row")).toHaveCount(2);
    await expect(tryAll(page), "a member tries one at a time").toHaveCount(0);
    await page.goto(pathOf(bobs));
    await expect(tryAgain(page)).toBeVisible();
  });

  test("is tried again by a code alone, and leaves files that cannot be read out otherwise", async ({
    page,
    context,
  }) => {
    const other = await panelAccount();
    const client = apiClient(suite.url, other.apiKey);
    const unreadable = await client.upload<{ sessionId: string }>("/process", {
      file: new File(["PK\u0003\u0004 and no more"], "broken.docx"),
      prompt: "Sum up",
    });
    await client.waitUntilDone(`/process/${unreadable.body.sessionId}`);
    for (const n of [1, 2]) await finished(`${n} [[fail:400:1]] ${randomUUID()}`, {}, client);
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(`${SESSIONS}?errorCode=MODEL_REJECTED`);
    await expect(page.getByRole("row")).toHaveCount(3);
    await expectWellMade(page, "sessions-by-error");
    await expect(tryAll(page)).toBeVisible();
    await page.goto(`${SESSIONS}?status=unanswered`);
    await expect(page.getByRole("row")).toHaveCount(4);
    await tryAll(page).click();
    await page.getByRole("button", { name: "Try them again" }).click();
    await expectToast(page, "2 sessions run again; 1 other, whose file cannot be read, is left out.");
    await page.goto(`${SESSIONS}?errorCode=UNSUPPORTED_FILE`);
    await tryAll(page).click();
    await page.getByRole("button", { name: "Try them again" }).click();
    await expectToast(page, "1 session runs again.");
    await expect
      .poll(() => prisma().turn.count({ where: { sessionId: unreadable.body.sessionId, status: "failed" } }))
      .toBe(2);
  });

  test("says what it did not come to where the credits end midway, until that is read", async ({ page, context }) => {
    const other = await panelAccount({ credits: 10 });
    const client = apiClient(suite.url, other.apiKey);
    const marker = randomUUID();
    const long = "word ".repeat(4_000);
    for (const n of [1, 2, 3, 4, 5, 6]) await finished(`${n} [[fail:400:1]] [[hold:${marker}]] ${long}`, {}, client);
    await signInContext(context, await other.addPerson("owner"));
    await page.goto(`${SESSIONS}?status=failed`);
    await tryAll(page).click();
    await page.getByRole("button", { name: "Try them again" }).click();
    const toast = page.getByRole("alertdialog").filter({ hasText: "run again, others do not yet" });
    await expect(toast).toContainText("Some are left: try all again for those.");
    await expect(toast).toHaveClass(/toast--warning/);
    await expectWellMade(page, "sessions-tried-in-part");
    await toast.getByRole("button", { name: "Close" }).click();
    await expect(toast).toHaveCount(0);
    await releaseModel(marker);
  });
});
