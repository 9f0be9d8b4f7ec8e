"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { saveAlertMailsInput } from "@/lib/contracts/alert-mails";
import { isId } from "@/lib/domain/ids";
import { panelAction } from "@/lib/panel/panel-action";
import { chooseAlertMails as choose } from "@/lib/services/alerts/choose-alert-mails";
import { dismissAlert as dismiss } from "@/lib/services/alerts/dismiss-alert";

/** Takes an alert from the lists and from the bell, for everybody of the account. */
export const dismissAlert = panelAction(
  "alerts.dismiss",
  z.strictObject({ alertId: z.string().refine((text) => isId("alert", text), "is not the id of an alert") }),
  async ({ actor, principal }, { alertId }) => {
    await dismiss(actor, principal, alertId);
    // The bell stands around every page.
    revalidatePath("/panel", "layout");
    return null;
  },
);

/** What the person themselves is mailed of, of the account that the panel shows. */
export const chooseAlertMails = panelAction(
  "alerts.choose-mails",
  saveAlertMailsInput,
  ({ account, actor, user }, input) => choose(actor, { accountId: account.id, userId: user.id }, input),
);
