import { expect, type Locator, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { addressOf, type FilledAccount, filledAccount } from "@/e2e/support/filled-account";
import { signInContext, staffPerson, type TestPerson } from "@/e2e/support/panel-browser";
import { readPages } from "@/e2e/support/panel-source";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { hashSecretToken, newSecretToken } from "@/lib/domain/secret-token";

/** Long texts in every place that takes one, and every page visited in all widths: none has to be scrolled sideways. */

const ENDLESS = "grundstücksverkehrsgenehmigung".repeat(4);
/** Words, and one that never ends. */
const LONG = `Wirtschaftsprüfungsgesellschaft für Binnenschifffahrt ${ENDLESS}`;

/** CSS pixels: the narrowest window of each way in which pages are drawn. */
const WIDTHS = [1280, 1024, 640, 320];

const PAGES = readPages().filter(
  ({ audience, path }) => (audience === "panel" || audience === "staff") && !path.includes("[..."),
);

let filled: FilledAccount;
let owner: TestPerson;
let staff: TestPerson;

test.beforeAll(async () => {
  filled = await filledAccount(LONG);
  await Promise.all([logLongestCall(filled), widenSessions(filled), nameVariable(filled)]);
  [owner, staff] = await Promise.all([filled.addPerson("owner"), staffPerson()]);
});

for (const { audience, path } of PAGES) {
  test(`${path} is no wider than its window and shows the end of each id, however long what is written in it`, async ({
    page,
    context,
  }) => {
    await signInContext(context, audience === "staff" ? staff : owner);
    await page.goto(addressOf(filled, path));
    const faults: Record<string, string[]> = {};
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const found = [...(await findWide(page)), ...(await page.evaluate(nameCutIds))];
      if (found.length > 0) faults[width] = found;
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(faults).toEqual({});
  });
}

test("what was looked for in vain, and whom a question is about, stay in their places", async ({ page, context }) => {
  await signInContext(context, owner);
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto(`/panel/search?q=${encodeURIComponent(ENDLESS)}`);
  await expect(page.getByText("Nothing here is called")).toBeVisible();
  expect(await findWide(page)).toEqual([]);
  await page.goto("/panel/settings/team");
  await page.getByRole("button", { name: "Take back" }).click();
  const question = page.getByRole("alertdialog");
  const rightOf = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().right);
  expect(await rightOf(question.getByText(/^The link that/))).toBeLessThan(await rightOf(question));
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("an invitation's page is no wider than a phone, however long the company's name and the reader's address are", async ({
  page,
  context,
}) => {
  const token = newSecretToken();
  await prisma().invitation.create({
    data: {
      id: newId("invitation"),
      accountId: filled.accountId,
      email: `${ENDLESS.slice(0, 60)}@example.test`,
      role: "member",
      tokenHash: hashSecretToken(token),
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  });
  const reader = await filled.addPerson("member");
  await prisma().user.update({
    where: { id: reader.userId },
    data: { email: `${ENDLESS.slice(0, 60)}-${reader.userId}@example.test` },
  });
  await signInContext(context, reader);
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto(`/panel/invitation/${token}`);
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  expect(await findWide(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

/** The longest of what a list of calls shows. */
async function logLongestCall({ accountId, projectId }: FilledAccount): Promise<void> {
  await prisma().callLog.create({
    data: {
      id: newId("call"),
      accountId,
      projectId,
      requestId: newId("request"),
      endpoint: "POST /b2b/partners/:partnerId/webhooks",
      path: `/b2b/partners/${accountId}/webhooks`,
      status: 409,
      errorCode: "IDEMPOTENCY_IN_PROGRESS",
      durationMs: 123_456,
      ip: "2001:db8:85a3:1111:2222:8a2e:370:7334",
    },
  });
}

/** The longest of what a list of sessions shows. */
async function widenSessions({ projectId, idsByPath }: FilledAccount): Promise<void> {
  await prisma().session.updateMany({
    where: { projectId },
    data: {
      templateId: idsByPath["/panel/templates/[id]"]?.id,
      tokensIn: 1_234_567,
      creditsUsed: 12_345,
      lastActivityAt: new Date(Date.now() - 23 * 60_000),
    },
  });
}

/** A template that calls have to give a value of a long name. */
async function nameVariable({ projectId }: FilledAccount): Promise<void> {
  await prisma().template.updateMany({ where: { projectId }, data: { promptTemplate: `${LONG} {{${ENDLESS}}}` } });
}

/** What makes the page wider than its window; a page that is just drawn for another width gets a moment. */
async function findWide(page: Page): Promise<string[]> {
  const look = () => page.evaluate(nameWide);
  const isFitting = async () => (await look()).length === 0;
  await expect
    .poll(isFitting, { timeout: 1_000 })
    .toBe(true)
    .catch(() => {});
  return look();
}

/** Runs in the page. */
function nameWide(): string[] {
  const tables = [...document.querySelectorAll<HTMLTableElement>("table.data-table")].filter(
    ({ parentElement: frame }) => frame && frame.scrollWidth > frame.clientWidth && frame.clientWidth > 0,
  );
  if (tables.length > 0)
    return tables.map(({ caption }) => `the table ${caption?.textContent} reaches out of its place`);
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const beyond = [...document.querySelectorAll("main *")].filter(
    (element) => element.getBoundingClientRect().right > innerWidth + 0.5,
  );
  const names = beyond.map((element) => `${element.tagName.toLowerCase()}: ${element.textContent?.slice(0, 60)}`);
  return names.length > 0 ? names.slice(0, 3) : ["something outside of main"];
}

/** Runs in the page. By their last characters ids are told apart: a cell that is too narrow takes away their middle. */
function nameCutIds(): string[] {
  const ends = [...document.querySelectorAll<HTMLElement>("td [title] > .whitespace-nowrap")];
  const isCut = (end: HTMLElement) => {
    const cell = end.closest("td") as HTMLElement;
    const room = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight);
    return end.offsetWidth > 0 && end.getBoundingClientRect().right > room + 0.5;
  };
  return ends.filter(isCut).map((end) => `${end.parentElement?.title} is cut off`);
}
