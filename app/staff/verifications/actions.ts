"use server";

import { revalidatePath } from "next/cache";
import { verificationDecisionSchema } from "@/lib/contracts/verification";
import { staffAction } from "@/lib/panel/panel-action";
import { decideVerification } from "@/lib/services/verification/decide-verification";

/** Approves, asks for more, or rejects; once for each submission. */
export const decide = staffAction(
  "staff.verifications.decide",
  verificationDecisionSchema,
  async ({ actor }, decision) => {
    const { status } = await decideVerification(actor, decision);
    revalidatePath("/staff", "layout");
    return { status };
  },
);
