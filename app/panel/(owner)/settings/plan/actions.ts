"use server";

import { revalidatePath } from "next/cache";
import { askForMoreInput, requestIdInput } from "@/lib/contracts/account-requests";
import { panelAction } from "@/lib/panel/panel-action";
import { askForMore as ask } from "@/lib/services/requests/ask-for-more";
import { withdrawRequest as withdraw } from "@/lib/services/requests/withdraw-request";

const showAgain = () => revalidatePath("/panel/settings/plan");

/** Asks those who run the service for credits, or for another plan. */
export const askForMore = panelAction("billing.request", askForMoreInput, async ({ account, actor }, input) => {
  const asked = await ask(actor, account.id, input);
  showAgain();
  return asked;
});

/** Takes back what was asked for and not answered yet. */
export const withdrawRequest = panelAction(
  "billing.request",
  requestIdInput,
  async ({ account, actor }, { requestId }) => {
    await withdraw(actor, account.id, requestId);
    showAgain();
    return {};
  },
);
