import type { Page } from "playwright/test";

export const PROJECT = "/panel/settings/project";
export const COMPANY = "/panel/settings/company";
export const AUDIT = "/panel/settings/audit-log";

export const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
export const save = (page: Page, name: string) => section(page, name).getByRole("button", { name: "Save" }).click();
