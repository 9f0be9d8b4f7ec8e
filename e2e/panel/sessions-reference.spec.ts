import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectWellMade } from "@/e2e/support/page-look";
import { pathOf, SESSIONS, useSessionOwner } from "@/e2e/support/panel-sessions";

const { api, finished } = useSessionOwner();

const HOSTILE = `<img src=x onerror="window.hacked=1"> & 7`;

test.describe("a client's own reference", () => {
  test("has no column where no session has one", async ({ page }) => {
    await finished("Nameless");
    await page.goto(SESSIONS);
    await expect(page.getByRole("columnheader", { name: "Input" })).toBeVisible();
    await expect(page.getByRole("columnheader", { name: "Reference" })).toHaveCount(0);
  });

  test("is shown with its session, and leads to all that have it", async ({ page }) => {
    const one = await finished("The first of them", { reference: HOSTILE });
    await finished("The second of them", { reference: HOSTILE });
    await finished("Another", { reference: "order-4711" });
    await page.goto(pathOf(one));
    const facts = page.getByRole("complementary", { name: "Facts" });
    await facts.getByRole("link", { name: HOSTILE }).click();
    await expect(page).toHaveURL(`${SESSIONS}?reference=${encodeURIComponent(HOSTILE)}`);
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(3);
    await expect(page.getByRole("cell", { name: HOSTILE })).toHaveCount(2);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await expectWellMade(page, "sessions-reference");
  });

  test("leaves the code of a failure whole beside it, with all columns full", async ({ page }) => {
    const template = { name: "A template with a name of its own", promptTemplate: "No JSON at all: {{message}}" };
    const { body } = await api().post("/templates", template);
    await finished("Fails for a schema that the answer does not meet", {
      endUserId: "someone.with.a.long.name@example.com",
      reference: "invoice 2026/11/30 of somebody with a long name",
      templateId: body.id,
      outputSchema: { type: "object", properties: { total: { type: "number" } } },
    });
    for (const width of [1024, 1280, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${SESSIONS}?status=failed`);
      const code = page.getByText("OUTPUT_SCHEMA_NOT_MET");
      await expect(code).toBeVisible();
      const cut = await code.evaluate((node) => {
        const cell = node.closest("td") as HTMLElement;
        return cell.scrollWidth - cell.clientWidth;
      });
      expect(cut, `px that are cut off at ${width}`).toBe(0);
    }
    await expectWellMade(page, "sessions-reference-failed");
  });

  test("is shown with all of its spaces, so that what is copied there finds it", async ({ page }) => {
    const sessionId = await finished("With two spaces", { reference: "RMA  2026" });
    await page.goto(pathOf(sessionId));
    const link = page.getByRole("complementary", { name: "Facts" }).getByRole("link", { name: "RMA" });
    const copied = await link.evaluate((node) => {
      getSelection()?.selectAllChildren(node);
      return String(getSelection());
    });
    expect(copied).toBe("RMA  2026");
  });

  test("finds its sessions by the list's filter and by the search box", async ({ page }) => {
    const sessionId = await finished("Where is it?", { reference: "RMA 2026/88" });
    await page.goto(SESSIONS);
    await page.getByRole("button", { name: "Reference" }).click();
    await page.getByRole("textbox", { name: "Reference" }).fill("RMA 2026/88");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
    await page.getByRole("textbox", { name: "Find by id" }).fill("RMA 2026/88");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${SESSIONS}?reference=RMA%202026%2F88`);
    await page.getByRole("table").getByRole("link").click();
    await expect(page).toHaveURL(pathOf(sessionId));
    await expectWellMade(page, "session-reference");
  });

  test("is found by both as long as it may be, also of characters that count as two in a browser", async ({ page }) => {
    const reference = "🧾".repeat(200);
    const sessionId = await finished("A long name", { reference });
    const found = `${SESSIONS}?reference=${encodeURIComponent(reference)}`;
    await page.goto(SESSIONS);
    await page.getByRole("button", { name: "Reference" }).click();
    await page.getByRole("textbox", { name: "Reference" }).click();
    await page.keyboard.insertText(reference);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(found);
    await page.goto(pathOf(sessionId));
    await page.getByRole("textbox", { name: "Find by id" }).click();
    await page.keyboard.insertText(reference);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(found);
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  });
});
