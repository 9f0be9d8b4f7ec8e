import { expect } from "playwright/test";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { pathOf, turn, useSessionOwner } from "@/e2e/support/panel-sessions";

const { api } = useSessionOwner();

test("an answer by a schema is shown as JSON that folds, and copied as it was written", async ({ page, context }) => {
  const { body } = await api().post<{ sessionId: string }>("/chat", {
    message: 'What does it cost? [[answer:{"total":12.50,"seller":{"name":"<b>Tea</b>"}}]]',
    outputSchema: { type: "object", properties: { total: { type: "number" }, seller: { type: "object" } } },
  });
  await api().waitUntilDone(`/chat/${body.sessionId}`);
  await page.goto(pathOf(body.sessionId));
  const answer = turn(page, 1);
  await expect(answer).toContainText("JSON by a schema");
  await expect(answer.getByText("12.5", { exact: true })).toBeVisible();
  await expect(answer.getByText('"<b>Tea</b>"', { exact: true })).toBeVisible();
  await answer.getByRole("button", { name: "Fold" }).first().click();
  await expect(answer.getByText("12.5", { exact: true })).toBeHidden();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await answer.getByRole("button", { name: "Copy the answer" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('{"total":12.50,"seller":{"name":"<b>Tea</b>"}}');
  await expectNoSidewaysScroll(page);
});

test("an answer with a number of more digits than a browser keeps is shown as it was written, from the left", async ({
  page,
}) => {
  const written = '{"اسم":"قيمة","invoice":12345678901234567890}';
  const { body } = await api().post<{ sessionId: string }>("/chat", {
    message: `Which invoice? [[answer:${written}]]`,
    outputSchema: { type: "object" },
  });
  await api().waitUntilDone(`/chat/${body.sessionId}`);
  await page.goto(pathOf(body.sessionId));
  const answer = turn(page, 1).getByRole("region", { name: "Code: the answer" });
  await expect(answer).toHaveText(written);
  const [name, value] = await Promise.all(
    ['"اسم"', '"قيمة"'].map((text) => answer.getByText(text, { exact: true }).boundingBox()),
  );
  expect(name?.x).toBeLessThan(value?.x ?? 0);
});
