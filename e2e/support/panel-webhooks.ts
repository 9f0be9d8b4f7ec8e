import { createHmac } from "node:crypto";
import { expect, type Page } from "playwright/test";
import { startReceiver } from "@/e2e/api/support/webhook-receiver";
import { test } from "@/e2e/support/browser-test";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import type { HttpsReceiver, ReceivedRequest } from "@/e2e/support/https-receiver";
import { type PanelAccount, panelAccount, signInContext, type TestPerson } from "@/e2e/support/panel-browser";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";

export const WEBHOOKS = "/panel/api-b2b/webhooks";
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** An account with webhooks, whose owner is signed in at the start of each test of a file. */
interface WebhookOwner {
  readonly account: PanelAccount;
  /** A receiver that is closed after the test. */
  newReceiver(...args: Parameters<typeof startReceiver>): Promise<HttpsReceiver>;
  /** @returns the webhook's id */
  seedWebhook(url: string, more?: { status?: string; active?: boolean }, of?: PanelAccount): Promise<string>;
}

export function useWebhookOwner(): WebhookOwner {
  let account: PanelAccount;
  let owner: TestPerson;
  const receivers: HttpsReceiver[] = [];
  test.beforeAll(async () => {
    account = await panelAccount();
    owner = await account.addPerson("owner");
  });
  test.beforeEach(({ context }) => signInContext(context, owner));
  test.afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });
  return {
    get account() {
      return account;
    },
    async newReceiver(...args) {
      const receiver = await startReceiver(...args);
      receivers.push(receiver);
      return receiver;
    },
    seedWebhook: (url, more = {}, of = account) =>
      seedRegistration({ ...scopeOf(of), url, secret: newWebhookSecret(), ...more }),
  };
}

export const scopeOf = ({ accountId, projectId }: PanelAccount) => ({ accountId, projectId });

export const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

/** Of the delivery that is open. */
export const status = (page: Page) => page.getByRole("dialog").getByRole("definition").first();

export async function shownSecret(page: Page): Promise<string> {
  const code = page.locator("code", { hasText: "whsec_" }).first();
  await expect(code).toHaveText(SECRET);
  return (await code.textContent()) ?? "";
}

export function isSigned(request: ReceivedRequest | undefined, secret: string): boolean {
  const expected = createHmac("sha256", secret)
    .update(request?.body ?? "")
    .digest("hex");
  return request?.headers["x-service-signature"] === expected;
}
