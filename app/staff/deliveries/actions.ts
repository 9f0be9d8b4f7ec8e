"use server";

import { revalidatePath } from "next/cache";
import { resendInput } from "@/lib/contracts/deliveries";
import { staffAction } from "@/lib/panel/panel-action";
import { resendForAccount } from "@/lib/services/staff/resend-for-account";

/** Sends a delivery of any account again. */
export const resend = staffAction("staff.deliveries.resend", resendInput, async ({ actor, reason }, input) => {
  const { round } = await resendForAccount(actor, { ...input, reason });
  revalidatePath("/staff/deliveries");
  return { round };
});
