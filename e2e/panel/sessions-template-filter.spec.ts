import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { SESSIONS, useSessionOwner } from "@/e2e/support/panel-sessions";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

const { own, api, finished } = useSessionOwner();

test("the filter by template tells where older ones than the newest hundred are, and names the one that it was led to", async ({
  page,
}) => {
  const { body: old } = await api().post("/templates", { name: "The oldest of all", promptTemplate: "{{message}}" });
  await finished("By the oldest template", { templateId: old.id });
  const newer = Array.from({ length: 100 }, (_, index) => ({
    id: newId("template"),
    projectId: own.account.projectId,
    name: `Newer ${index}`,
    slug: `newer-${index}`,
    promptTemplate: "{{message}}",
    createdAt: new Date(Date.now() + 1_000 + index),
  }));
  await prisma().template.createMany({ data: newer });
  await page.goto(SESSIONS);
  await page.getByRole("button", { name: "Template", exact: true }).click();
  const choices = page.getByRole("dialog", { name: "Template" });
  await expect(choices.getByRole("button")).toHaveCount(100);
  await choices.getByRole("link", { name: /^Older templates/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Templates");
  await page.goto(`/panel/templates/${old.id}?tab=use`);
  await page.locator(`a[href="${SESSIONS}?templateId=${old.id}"]`).click();
  await expect(page.getByRole("button", { name: "Template The oldest of all", exact: true })).toBeVisible();
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
});
