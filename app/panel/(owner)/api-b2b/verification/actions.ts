"use server";

import { revalidatePath } from "next/cache";
import { companyDataSchema } from "@/lib/contracts/verification";
import { panelAction } from "@/lib/panel/panel-action";
import { submitVerification } from "@/lib/services/verification/submit-verification";

/** Hands the company's data in: for the first time, as an answer, or again. */
export const submitCompany = panelAction(
  "verification.submit",
  companyDataSchema,
  async ({ actor, principal }, company) => {
    await submitVerification(actor, principal, company);
    // The shell shows alerts of it on every page.
    revalidatePath("/panel", "layout");
    return {};
  },
);
