import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { suite } from "@/e2e/support/suite";

export const API_KEYS = "/panel/api-b2b/api-keys";
const WHOLE_KEY = /^bld_[0-9A-Za-z]{32}$/;

export const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

/** What the API answers to this key. */
export const accountStatus = async (apiKey: string) => (await apiClient(suite.url, apiKey).get("/account")).status;

/** @returns the key that the dialog of this title shows whole */
export async function shownKey(page: Page, title: string): Promise<string> {
  const code = page.getByRole("dialog", { name: title }).locator("code").first();
  await expect(code).toHaveText(WHOLE_KEY);
  return (await code.textContent()) ?? "";
}
