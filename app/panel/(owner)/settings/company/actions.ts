"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { panelAction } from "@/lib/panel/panel-action";
import { renameAccount } from "@/lib/services/accounts/rename-account";
import { requestAccountExport } from "@/lib/services/data-rights/account-exports";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";

const MAX_NAME_CHARACTERS = 200;
const companyName = z.strictObject({ company: plainText(z.string().max(MAX_NAME_CHARACTERS)) });

/** Changes what the account is called. */
export const renameCompany = panelAction(
  "account.update",
  companyName.extend({ began: companyName }),
  async ({ actor, principal }, input) => {
    const result = await renameAccount(actor, principal, input);
    if (result.outcome === "saved") revalidatePath("/panel", "layout");
    return result;
  },
);

/** Has a file made of all that the account has. */
export const exportAccount = panelAction("account.export", z.strictObject({}), async ({ actor, account }) => {
  await requestAccountExport(actor, account.id);
  revalidatePath("/panel/settings/company");
  return {};
});

/** Closes the account's keys at once and erases everything in the background. */
export const eraseAccount = panelAction(
  "account.erase",
  z.strictObject({ confirmation: z.string().max(MAX_NAME_CHARACTERS) }),
  async ({ actor, account }, { confirmation }) => {
    await requestAccountErasure(actor, { accountId: account.id, confirmation });
    revalidatePath("/panel", "layout");
    return {};
  },
);
