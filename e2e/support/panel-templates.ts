import type { Page } from "playwright/test";
import { gotoEditor } from "@/e2e/support/editors";
import type { PanelAccount } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import type { CreateTemplateBody } from "@/lib/contracts/template-records";
import { createTemplate } from "@/lib/services/templates/create-template";

export const TEMPLATES = "/panel/templates";

/** An account with templates, whose owner is signed in at the start of each test of a file. */
interface TemplateOwner {
  readonly account: PanelAccount;
  /** Makes a template of two variables, one of which has a value. */
  make(fields?: Partial<CreateTemplateBody>): ReturnType<typeof createTemplate>;
}

export function useTemplateOwner(): TemplateOwner {
  const own = usePanelOwner();
  return {
    get account() {
      return own.account;
    },
    make: (fields = {}) =>
      createTemplate(own.account.principal, {
        name: "Invoice",
        promptTemplate: "Sum up {{what}} in {{language}}.",
        variables: { language: "English" },
        ...fields,
      }),
  };
}

/** The field that the template is written in. */
export const text = (page: Page) => page.getByRole("textbox", { name: "Template text" });
/** What a call with the values beside it says. */
export const asked = (page: Page) => page.getByRole("region", { name: "Text of the call" });

export const open = (page: Page, id: string) => gotoEditor(page, `${TEMPLATES}/${id}`);

export const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
