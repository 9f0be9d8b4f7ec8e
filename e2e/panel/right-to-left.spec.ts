import { expect, type Page } from "playwright/test";
import { setVerification } from "@/e2e/api/support/account-states";
import { test } from "@/e2e/support/browser-test";
import { addressOf, type FilledAccount, filledAccount } from "@/e2e/support/filled-account";
import { signInContext, staffPerson, type TestPerson } from "@/e2e/support/panel-browser";
import { readPages } from "@/e2e/support/panel-source";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { hashSecretToken, newSecretToken } from "@/lib/domain/secret-token";

/**
 * Names that are read from the right, on pages that are read from the left: a sign at a name's end stands at its end,
 * which is on the left. Without a direction of its own it moves to the other side, to the beginning of what is read.
 */
const NAME = "شركة النور!";

const PAGES = readPages().filter(
  ({ audience, path }) => (audience === "panel" || audience === "staff") && !path.includes("[..."),
);
/** What a receiver was sent and answered stands there as code, which is read from the left. */
const WRITTEN_AS_CODE = ["/panel/api-b2b/webhooks/deliveries/[id]"];

let filled: FilledAccount;
let owner: TestPerson;
let staff: TestPerson;

test.beforeAll(async () => {
  filled = await filledAccount(NAME);
  const { accountId } = filled;
  // Mail addresses and the service's own words are read from the left.
  await prisma().invitation.deleteMany({ where: { accountId } });
  await prisma().alert.deleteMany({ where: { accountId } });
  [owner, staff] = await Promise.all([filled.addPerson("owner"), staffPerson()]);
});

test("names end where they end in all pages of an account", async ({ page, context }) => {
  await signInContext(context, owner);
  const addresses = pagesOf("panel").flatMap((path) => [path, ...tabsOf(path)]);
  expect(await namesTurned(page, addresses)).toEqual({});
});

test("names end where they end in all pages of staff", async ({ page, context }) => {
  const [entries, call] = await Promise.all([
    // One of each kind: some have the name in what was the case before or after.
    prisma().auditEntry.findMany({ where: { accountId: filled.accountId }, distinct: ["action"] }),
    prisma().callLog.findFirstOrThrow({ where: { accountId: filled.accountId } }),
  ]);
  await signInContext(context, staff);
  const lines = entries.map(({ id }) => `/staff/audit-log?entry=${id}`);
  const details = [...lines, `/staff/logs?call=${call.requestId}`];
  expect(await namesTurned(page, [...pagesOf("staff"), ...details])).toEqual({});
});

test("names end where they end in questions that name what they are about", async ({ page, context }) => {
  const { accountId, principal } = filled;
  await signInContext(context, owner);
  await page.goto(`/panel/api-b2b/api-keys?key=${principal.apiKeyId}`);
  expect(await turnedBehind(page, "Rotate")).toEqual([]);
  await signInContext(context, staff);
  // Only who waits is decided about.
  await setVerification(filled, "pending");
  await page.goto(`/staff/verifications/${accountId}`);
  expect(await turnedBehind(page, "Approve")).toEqual([]);
  expect(await turnedBehind(page, "Reject")).toEqual([]);
  await setVerification(filled, "verified");
});

test("names end where they end in what is looked for", async ({ page, context }) => {
  const { principal, idsByPath } = filled;
  const templateId = idsByPath["/panel/templates/[id]"]?.id;
  await signInContext(context, owner);
  const addresses = [
    `/panel/search?q=${encodeURIComponent(NAME)}`,
    `/panel/api-b2b/logs?keyId=${principal.apiKeyId}`,
    `/panel/sessions?templateId=${templateId}`,
  ];
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.getByRole("main").getByText(NAME).first()).toBeVisible();
  }
  expect(await namesTurned(page, addresses)).toEqual({});
  await page
    .getByRole("button", { name: /^Template/ })
    .first()
    .click();
  await expect(page.getByRole("dialog", { name: "Template" })).toBeVisible();
  expect(await page.evaluate(findTurned, NAME)).toEqual([]);
});

test("the company's name ends where it ends in an invitation", async ({ page }) => {
  const { accountId } = filled;
  const token = newSecretToken();
  await prisma().invitation.create({
    data: {
      id: newId("invitation"),
      accountId,
      email: "new@example.test",
      role: "member",
      tokenHash: hashSecretToken(token),
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  });
  expect(await namesTurned(page, [`/panel/invitation/${token}`])).toEqual({});
});

function pagesOf(audience: "panel" | "staff"): string[] {
  return PAGES.filter((page) => page.audience === audience && !WRITTEN_AS_CODE.includes(page.path)).map(({ path }) =>
    addressOf(filled, path),
  );
}

function tabsOf(address: string): string[] {
  return /\/(templates|knowledge)\/\w+_/.test(address) ? [`${address}?tab=versions`] : [];
}

/** The texts of the question behind a button whose name has its last sign on the wrong side. */
async function turnedBehind(page: Page, button: string): Promise<string[]> {
  await page.getByRole("button", { name: button, exact: true }).click();
  const question = page.locator("[data-dialog]");
  await expect(question.getByRole("heading", { name: NAME })).toBeVisible();
  const turned = await page.evaluate(findTurned, NAME);
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  return turned;
}

/** By address: the texts whose name has its last sign on the wrong side. */
async function namesTurned(page: Page, addresses: string[]): Promise<Record<string, string[]>> {
  const turned: Record<string, string[]> = {};
  for (const address of addresses) {
    await page.goto(address);
    const found = await page.evaluate(findTurned, NAME);
    if (found.length > 0) turned[address] = found;
  }
  return turned;
}

/** Runs in the page. What the AI answers is a text of its own, and a web address is read from the left as a whole. */
function findTurned(name: string): string[] {
  const turned: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const at = node.textContent?.indexOf(name) ?? -1;
    const isAddress = node.textContent?.includes("receiver.example/");
    if (at < 0 || isAddress || node.parentElement?.closest("script, pre, textarea, .markdown, [contenteditable]"))
      continue;
    const leftOf = (index: number) => {
      const range = document.createRange();
      range.setStart(node as Node, index);
      range.setEnd(node as Node, index + 1);
      return range.getBoundingClientRect().left;
    };
    if (leftOf(at + name.length - 1) > leftOf(at)) turned.push(node.textContent ?? "");
  }
  return turned;
}
