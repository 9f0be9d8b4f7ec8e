/** The plans (contract §7): requests per key and minute, tokens per calendar month (null: no limit). */
export const PLANS = {
  free: { name: "Free", requestsPerMinute: 60, tokensPerMonth: 100_000 },
  starter: { name: "Starter", requestsPerMinute: 300, tokensPerMonth: 2_000_000 },
  growth: { name: "Growth", requestsPerMinute: 1_200, tokensPerMonth: 20_000_000 },
  scale: { name: "Scale", requestsPerMinute: 6_000, tokensPerMonth: null },
} as const satisfies Record<string, { name: string; requestsPerMinute: number; tokensPerMonth: number | null }>;

export type PlanId = keyof typeof PLANS;

export const PLAN_IDS = Object.keys(PLANS) as PlanId[];

export function isPlanId(text: string): text is PlanId {
  return Object.hasOwn(PLANS, text);
}

/** What a new account gets (contract §7). */
export const SIGN_UP_PLAN: PlanId = "free";
export const SIGN_UP_CREDITS = 100;
