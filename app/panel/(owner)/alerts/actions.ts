"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { panelAction } from "@/lib/panel/panel-action";
import { dismissAlert as dismiss } from "@/lib/services/webhooks/dismiss-alert";

const MAX_ID_CHARACTERS = 100;

/** Takes an alert from the lists and from the bell, for everybody of the account. */
export const dismissAlert = panelAction(
  "alerts.dismiss",
  z.strictObject({ alertId: z.string().min(1).max(MAX_ID_CHARACTERS) }),
  async ({ actor, principal }, { alertId }) => {
    await dismiss(actor, principal, alertId);
    // The bell stands around every page.
    revalidatePath("/panel", "layout");
    return null;
  },
);
