import type { Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { type PanelAccount, panelAccount, signInContext, type TestPerson } from "@/e2e/support/panel-browser";

/** An account whose owner is signed in at the start of each test of a file. */
export interface PanelOwner {
  readonly account: PanelAccount;
  readonly owner: TestPerson;
}

export function usePanelOwner(): PanelOwner {
  let account: PanelAccount;
  let owner: TestPerson;
  test.beforeAll(async () => {
    account = await panelAccount();
    owner = await account.addPerson("owner");
  });
  test.beforeEach(({ context }) => signInContext(context, owner));
  return {
    get account() {
      return account;
    },
    get owner() {
      return owner;
    },
  };
}

/** Another company, with its owner signed in. */
export async function asOwnerOf(page: Page, other: PanelAccount): Promise<void> {
  await signInContext(page.context(), await other.addPerson("owner"));
}
