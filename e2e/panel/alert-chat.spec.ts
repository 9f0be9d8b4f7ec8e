import { expect } from "playwright/test";
import { startReceiver } from "@/e2e/api/support/webhook-receiver";
import { test } from "@/e2e/support/browser-test";
import type { HttpsReceiver } from "@/e2e/support/https-receiver";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { signInContext } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { AUDIT, COMPANY, section } from "@/e2e/support/panel-settings";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { chatAlerts } from "@/lib/services/alerts/chat-alerts";
import { setAlertChat } from "@/lib/services/alerts/set-alert-chat";

const TITLE = "Alerts in your team’s chat";

const own = usePanelOwner();
let receiver: HttpsReceiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(() => receiver.close());

const textOf = (index: number) => JSON.parse(receiver.requests[index]?.body.toString() ?? "{}").text as string;

test.describe("the chat of a company's alerts", () => {
  test("is set, tried out, told of alerts, says what failed, and is removed", async ({ page }) => {
    await page.goto(COMPANY);
    const part = section(page, TITLE);
    const address = part.getByLabel("Address of an incoming webhook");
    await address.fill("https://example.com/services/T0/B0/secretsecret");
    await part.getByRole("button", { name: "Set the chat" }).click();
    await expect(part).toContainText(
      "Must be that of an incoming webhook of Slack, Microsoft Teams, Google Chat or Discord.",
    );
    await address.fill(`${receiver.url}/hooks/secretsecret1234`);
    await part.getByRole("button", { name: "Set the chat" }).click();
    await expectToast(page, "Set. Send a test to see whether it arrives.");
    await expect(part).toContainText(`localhost:${receiver.port}/…1234`);
    await expect(part).toContainText("None yet");

    await part.getByRole("button", { name: "Send a test" }).click();
    await receiver.waitForRequests(1);
    expect(textOf(0)).toMatch(/^A test: alerts of .+ come here\./);
    await expect(part).toContainText("Arrived");

    const { accountId } = own.account;
    await prisma().alert.create({ data: { id: newId("alert"), accountId, kind: "credits.low", message: "Few." } });
    await chatAlerts();
    await receiver.waitForRequests(2);
    expect(textOf(1)).toMatch(/^Credits are running low: .+\nFew\.\nhttps?:.+\/panel\/alerts\?of=acc_/);

    receiver.behave({ kind: "fail", status: 404 });
    await part.getByRole("button", { name: "Send a test" }).click();
    await expect(part).toContainText(`Failed: 404 from localhost:${receiver.port}`);
    await page.reload();
    expect(await page.content()).not.toContain("secretsecret");
    await expectWellMade(page, "settings-company-chat");

    await part.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("alertdialog", { name: "Remove the chat?" }).getByRole("button", { name: "Remove" }).click();
    await expectToast(page, "Removed");
    await expect(address).toBeVisible();
    await page.goto(`${AUDIT}?action=alert`);
    await expect(page.getByRole("table", { name: "Audit log" })).toContainText("Chat of alerts removed");
  });

  test("is set over nothing that another owner set meanwhile, and what was typed stays", async ({ page }) => {
    const { accountId } = own.account;
    const setMeanwhile = (end: string) =>
      setAlertChat(OPERATOR, accountId, `https://hooks.slack.com/services/T0/B0/${end}`);
    await page.goto(COMPANY);
    const part = section(page, TITLE);
    const address = part.getByLabel("Address of an incoming webhook");
    await address.fill(`${receiver.url}/hooks/mine`);
    await setMeanwhile("one1");
    await part.getByRole("button", { name: "Set the chat" }).click();
    await expectToast(page, "the chat was set to hooks.slack.com/…one1 by somebody else meanwhile");
    await expect(address).toHaveValue(`${receiver.url}/hooks/mine`);

    await page.reload();
    await part.getByRole("button", { name: "Replace" }).click();
    const question = page.getByRole("alertdialog", { name: "Replace the address?" });
    await question.getByLabel("Address of an incoming webhook").fill(`${receiver.url}/hooks/mine`);
    await setMeanwhile("two2");
    const replace = question.getByRole("button", { name: "Replace" });
    await replace.click();
    await expectToast(page, "the chat was set to hooks.slack.com/…two2 by somebody else meanwhile");
    // The page beneath knows of it by now, which the question was not put about.
    await expect(page.getByText("hooks.slack.com/…two2", { exact: true })).toBeVisible();
    await replace.click();
    await expectToast(page, "the chat was set to hooks.slack.com/…two2 by somebody else meanwhile");
    await question.getByRole("button", { name: "Cancel" }).click();

    await part.getByRole("button", { name: "Remove" }).click();
    const removal = page.getByRole("alertdialog", { name: "Remove the chat?" });
    await setMeanwhile("tre3");
    await removal.getByRole("button", { name: "Remove" }).click();
    await expectToast(page, "the chat was set to hooks.slack.com/…tre3 by somebody else meanwhile");
    expect(await prisma().alertChat.findUnique({ where: { accountId } })).toMatchObject({ hint: "tre3" });
    await page.reload();
    await part.getByRole("button", { name: "Remove" }).click();
    await removal.getByRole("button", { name: "Remove" }).click();
    await expectToast(page, "Removed");
  });

  test("is put in the place of another", async ({ page }) => {
    await page.goto(COMPANY);
    const part = section(page, TITLE);
    await part.getByLabel("Address of an incoming webhook").fill(`${receiver.url}/hooks/first`);
    await part.getByRole("button", { name: "Set the chat" }).click();
    await part.getByRole("button", { name: "Replace" }).click();
    const question = page.getByRole("alertdialog", { name: "Replace the address?" });
    await question.getByLabel("Address of an incoming webhook").fill("https://hooks.slack.com/triggers/T0/1");
    await question.getByRole("button", { name: "Replace" }).click();
    await expect(question).toContainText("https://hooks.slack.com/services/");
    await question.getByLabel("Address of an incoming webhook").fill("https://hooks.slack.com/services/T0/B0/last");
    await question.getByRole("button", { name: "Replace" }).click();
    await expect(question).toHaveCount(0);
    await expect(part).toContainText("hooks.slack.com/…last");
  });

  test("is for owners", async ({ page, context }) => {
    await signInContext(context, await own.account.addPerson("admin"));
    await page.goto(COMPANY);
    await expect(page.getByRole("heading", { name: "Account", exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { name: TITLE })).toHaveCount(0);
  });
});
