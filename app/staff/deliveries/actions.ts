"use server";

import { revalidatePath } from "next/cache";
import { deliveryInput } from "@/lib/contracts/deliveries";
import { staffAction } from "@/lib/panel/panel-action";
import { resendForAccount } from "@/lib/services/staff/resend-for-account";

/** Sends a delivery of any account again. */
export const resend = staffAction(
  "staff.deliveries.resend",
  deliveryInput,
  async ({ actor, reason }, { deliveryId }) => {
    const { round } = await resendForAccount(actor, { deliveryId, reason });
    revalidatePath("/staff/deliveries");
    return { round };
  },
);
