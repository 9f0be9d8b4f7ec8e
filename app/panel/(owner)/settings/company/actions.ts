"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { alertChatInput, removeAlertChatInput } from "@/lib/contracts/alert-chat";
import { plainText } from "@/lib/contracts/edit-base";
import { panelAction } from "@/lib/panel/panel-action";
import { renameAccount } from "@/lib/services/accounts/rename-account";
import { removeAlertChat, setAlertChat } from "@/lib/services/alerts/set-alert-chat";
import { testAlertChat } from "@/lib/services/alerts/test-alert-chat";
import { requestAccountExport } from "@/lib/services/data-rights/account-exports";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";

const PATH = "/panel/settings/company";
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

/** Has the account's alerts told of in a chat; in place of the one before, where there is one. */
export const setChat = panelAction(
  "alerts.set-chat",
  alertChatInput,
  async ({ actor, account }, { address, began }) => {
    await setAlertChat(actor, account.id, address, began);
    revalidatePath(PATH);
    return {};
  },
);

/** Has them told of in a chat no more. */
export const removeChat = panelAction(
  "alerts.set-chat",
  removeAlertChatInput,
  async ({ actor, account }, { began }) => {
    await removeAlertChat(actor, account.id, began);
    revalidatePath(PATH);
    return {};
  },
);

/** Sends a message to that chat that says that it is a test. */
export const testChat = panelAction("alerts.set-chat", z.strictObject({}), async ({ actor, account }) => {
  await testAlertChat(actor, account.id);
  revalidatePath(PATH);
  return {};
});

/** Has a file made of all that the account has. */
export const exportAccount = panelAction("account.export", z.strictObject({}), async ({ actor, account }) => {
  await requestAccountExport(actor, account.id);
  revalidatePath(PATH);
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
