import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectToast, refreshBySight } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { API_KEYS, accountStatus, row, shownKey } from "@/e2e/support/panel-api-keys";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

const HOSTILE_NAME = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;

const own = usePanelOwner();

async function createKey(page: Page, name: string): Promise<string> {
  await page.goto(API_KEYS);
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const apiKey = await shownKey(page, "Your new API key");
  await page.getByRole("button", { name: "I have kept it" }).click();
  return apiKey;
}

test.describe("API keys", () => {
  test("leads back to where one was before once a key's details were closed", async ({ page }) => {
    await page.goto("/panel/usage");
    await page.getByRole("navigation", { name: "Panel" }).getByRole("link", { name: "API Keys" }).click();
    const details = page.locator("[data-side-panel]");
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Emulation.setScrollbarsHidden", { hidden: false });
    const place = await page.getByRole("main").boundingBox();
    for (const close of [
      () => page.keyboard.press("Escape"),
      () => page.getByRole("link", { name: "Close" }).click(),
    ]) {
      await page.locator("[data-row-link]").first().press("Enter");
      await expect(details.getByRole("dialog")).toBeVisible();
      await expect(details.getByRole("link", { name: "Close" })).toBeFocused();
      // The page behind is too short for a scrollbar, and none makes room for itself.
      expect(await page.locator("main").boundingBox()).toEqual(place);
      await close();
      await expect(details).toHaveCount(0);
      await expect(page.locator("[data-row-link]").first()).toBeFocused();
    }
    await page.goBack();
    await expect(page).toHaveURL("/panel/usage");
  });

  test("rotates with an overlap in which both keys work and are told apart", async ({ page }) => {
    const old = await createKey(page, "To rotate");
    await row(page, "To rotate").getByRole("link").click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("button", { name: "Make the new key" }).click();
    const made = await shownKey(page, "The key that takes over");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name: "The key that takes over" })).toContainText(made);
    expect(made).not.toBe(old);
    expect([await accountStatus(old), await accountStatus(made)]).toEqual([200, 200]);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.goto(API_KEYS);
    await expect(row(page, "To rotate")).toHaveCount(2);
    await expect(row(page, "To rotate").filter({ hasText: "replaced" })).toContainText(/in (23 h|24 h|1 day)/);
    for (const [key, isReplaced] of [
      [old, true],
      [made, false],
    ] as const) {
      await page.goto(API_KEYS);
      await row(page, key.slice(-4)).getByRole("link").click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      const question = page.getByRole("alertdialog", { name: `Revoke the key …${key.slice(-4)}?` });
      await expect(question).toContainText(`the key …${key.slice(-4)} is refused`);
      await expect(question.getByText("replaced by a newer key")).toHaveCount(isReplaced ? 1 : 0);
    }
  });

  test("revokes when the name is typed, and the API refuses the key from then on", async ({ page }) => {
    const apiKey = await createKey(page, "To revoke");
    await row(page, "To revoke").getByRole("link").click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    const question = page.getByRole("alertdialog", { name: `Revoke the key …${apiKey.slice(-4)}?` });
    await expect(question.getByRole("button", { name: "Revoke key" })).toBeDisabled();
    await question.getByRole("textbox").fill("To revoke");
    await question.getByRole("button", { name: "Revoke key" }).click();
    await expectToast(page, "Key revoked");
    expect(await accountStatus(apiKey)).toBe(401);
    await page.goto(`${API_KEYS}?show=all`);
    await expect(row(page, "To revoke")).toContainText("revoked");
  });

  test("warns of a key that is older than 90 days", async ({ page }) => {
    await createKey(page, "Old one");
    await prisma().apiKey.updateMany({
      where: { projectId: own.account.projectId, name: "Old one" },
      data: { createdAt: new Date(Date.now() - 91 * 86_400_000) },
    });
    await page.goto(API_KEYS);
    await expect(row(page, "Old one")).toContainText("91 days old: rotate");
  });

  test("finds a key by its name, its id and by itself, which never goes into an address", async ({ page, browser }) => {
    const apiKey = await createKey(page, "Warehouse, to find");
    await createKey(page, "Beside it");
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.headers().referer} ${request.postData()}`));
    await page.goto(API_KEYS);
    const find = async (text: string) => {
      await page.getByRole("button", { name: /^Find/ }).click();
      await page.getByRole("textbox", { name: "Find", exact: true }).fill(text);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("textbox", { name: "Find", exact: true })).toHaveCount(0);
    };
    await find("wareHOUSE");
    await expect(page).toHaveURL(`${API_KEYS}?q=wareHOUSE`);
    await expect(row(page, "…")).toHaveCount(1);
    await row(page, "Warehouse").getByRole("link").click();
    await expect(page.getByRole("dialog", { name: "Warehouse, to find" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(`${API_KEYS}?q=wareHOUSE`);
    await find(`SERVICE_API_KEY="${apiKey}"`);
    const shown = `…${apiKey.slice(-4)}`;
    await expect(page).toHaveURL(`${API_KEYS}?q=${encodeURIComponent(shown)}`);
    await expect(row(page, "…")).toHaveCount(1);
    await expect(row(page, "Warehouse, to find")).toBeVisible();
    await expectWellMade(page, "api-keys-found");
    await find("no such key");
    await expect(page.getByText("No key in use is like that")).toBeVisible();
    await page.getByRole("link", { name: "Look among all keys" }).click();
    await expect(page).toHaveURL(`${API_KEYS}?q=no+such+key&show=all`);
    await expect(page.getByText("No key is like that")).toBeVisible();
    await page.goto(`${API_KEYS}?q=${"x".repeat(201)}`);
    await expect(page.getByText("This filter cannot be read")).toBeVisible();

    const searched = page.getByRole("textbox", { name: "Find by id" });
    await searched.fill(apiKey);
    await searched.press("Enter");
    await expect(page.getByRole("dialog", { name: "Warehouse, to find" })).toBeVisible();
    await expect(page).toHaveURL(/\?key=key_/);
    expect(sent.filter((line) => line.includes(apiKey))).toEqual([]);

    const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: suite.url });
    await signInContext(plain, own.owner);
    const unscripted = await plain.newPage();
    for (const [address, found] of [
      [`${API_KEYS}?q=${apiKey}`, `${API_KEYS}?show=all&q=${encodeURIComponent(shown)}`],
      [`/panel/search?q=${apiKey}`, /\?key=key_/],
    ] as const) {
      await unscripted.goto(address);
      await expect(unscripted).toHaveURL(found);
    }
    await plain.close();
  });

  test("shows members the keys and no way to change them", async ({ page, context }) => {
    await signInContext(context, await own.account.addPerson("member"));
    await page.goto(API_KEYS);
    await expect(row(page, "Test").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
    await row(page, "Test").first().getByRole("link").click();
    await expect(page.getByRole("dialog")).toContainText("Last used");
    await expect(page.getByRole("button", { name: /Rotate|Revoke/ })).toHaveCount(0);
  });

  test("shows nothing of another company's key", async ({ page }) => {
    const theirs = await panelAccount();
    const { id } = await prisma().apiKey.findFirstOrThrow({ where: { projectId: theirs.projectId } });
    await page.goto(`${API_KEYS}?key=${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API Keys");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("shows a hostile name as text", async ({ page }) => {
    await createKey(page, HOSTILE_NAME);
    await expect(row(page, "<img src=x")).toBeVisible();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("says why no key can be made before verification, and since when it waits", async ({ page, context }) => {
    const waiting = await panelAccount();
    await prisma().account.update({ where: { id: waiting.accountId }, data: { verificationStatus: "unsubmitted" } });
    await signInContext(context, await waiting.addPerson("owner"));
    await page.goto(API_KEYS);
    await expect(page.getByText("Verify your company first")).toBeVisible();
    await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
    await prisma().apiKey.deleteMany({ where: { accountId: waiting.accountId } });
    await page.reload();
    await expect(page.getByText("Keys are created and stand here once the company is verified.")).toBeVisible();
    await prisma().account.update({ where: { id: waiting.accountId }, data: { verificationStatus: "pending" } });
    await prisma().verificationSubmission.create({
      data: {
        id: `ver_${waiting.accountId}`,
        accountId: waiting.accountId,
        company: {},
        submittedAt: new Date(Date.now() - 5 * 3_600_000),
        dueAt: new Date(Date.now() + 43 * 3_600_000),
      },
    });
    await page.reload();
    await expect(page.getByText("Your company is being verified")).toBeVisible();
    await expect(page.getByText("5 h ago")).toBeVisible();
  });

  test("shows an open page what staff decided, and takes no dialog or new key from under somebody's hands", async ({
    page,
    context,
  }) => {
    const waiting = await panelAccount();
    const decide = (verificationStatus: string) =>
      prisma().account.update({
        where: { id: waiting.accountId },
        data: { verificationStatus, verifiedAt: verificationStatus === "verified" ? new Date() : null },
      });
    await decide("unsubmitted");
    await prisma().apiKey.deleteMany({ where: { projectId: waiting.projectId } });
    await signInContext(context, await waiting.addPerson("owner"));
    await page.goto(API_KEYS);
    await expect(page.getByText("Verify your company first")).toBeVisible();
    await decide("verified");
    await refreshBySight(page);
    await expect(page.getByText("Verify your company first")).toHaveCount(0);
    // The button of the empty list, which is gone with the first key.
    await page.getByRole("button", { name: "Create key" }).last().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Kept");
    await decide("suspended");
    expect(await refreshBySight(page)).toBe(0);
    await decide("verified");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const apiKey = await shownKey(page, "Your new API key");
    expect(await refreshBySight(page)).toBe(0);
    await expect(dialog).toContainText(apiKey);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await expect(row(page, "Kept")).toBeVisible();
    await decide("suspended");
    await refreshBySight(page);
    await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
  });

  test("is well made, as a list, with a key open and empty", async ({ page, context }) => {
    await createKey(page, "Support desk");
    await page.goto(API_KEYS);
    await expectWellMade(page, "api-keys");
    await row(page, "Support desk").getByRole("link").click();
    await expect(page.getByRole("dialog", { name: "Support desk" })).toBeVisible();
    await expectWellMade(page, "api-key");
    const fresh = await panelAccount();
    await prisma().apiKey.deleteMany({ where: { projectId: fresh.projectId } });
    await signInContext(context, await fresh.addPerson("owner"));
    await page.goto(API_KEYS);
    await expect(page.getByText("No keys in use")).toBeVisible();
    await expectWellMade(page, "api-keys-empty");
  });
});
