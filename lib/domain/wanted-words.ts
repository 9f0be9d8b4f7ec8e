import { isPlanId, PLANS } from "@/lib/domain/plans";

/** What a request is about: one of the two. */
export interface Wanted {
  credits?: number | null;
  planId?: string | null;
}

/** "500 credits", "the Growth plan" */
export function wantedWords({ credits, planId }: Wanted): string {
  if (planId && isPlanId(planId)) return `the ${PLANS[planId].name} plan`;
  return credits === 1 ? "1 credit" : `${(credits ?? 0).toLocaleString("en-US")} credits`;
}
