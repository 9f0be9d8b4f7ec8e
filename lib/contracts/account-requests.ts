import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { isId } from "@/lib/domain/ids";
import { PLAN_IDS, type PlanId } from "@/lib/domain/plans";

/** The most that one request may be about. */
export const MAX_ASKED_CREDITS = 100_000_000;

const note = plainText(z.string().trim().max(500));

/** What an account asks those who run the service for. An empty note is none. */
export const askForMoreInput = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("credits"),
    credits: z
      .int("must be a whole number")
      .min(1, "must be 1 or more")
      .max(MAX_ASKED_CREDITS, `must be at most ${MAX_ASKED_CREDITS}`),
    note,
  }),
  z.strictObject({ kind: z.literal("plan"), planId: z.enum(PLAN_IDS as [PlanId, ...PlanId[]]), note }),
]);

export type AskForMoreInput = z.output<typeof askForMoreInput>;

export const requestIdInput = z.strictObject({
  requestId: z.string().refine((text) => isId("accountRequest", text), "is not the id of a request"),
});

export type AccountRequestState = "open" | "granted" | "declined" | "withdrawn";

/** A request, and what became of it. */
export interface AccountRequestRecord {
  id: string;
  accountId: string;
  companyName: string;
  kind: "credits" | "plan";
  /** Whole credits; null: it is about a plan. */
  credits: number | null;
  planId: PlanId | null;
  note: string | null;
  state: AccountRequestState;
  /** E-mail address; null when that person is gone. */
  askedBy: string | null;
  /** Why it was declined. */
  answer: string | null;
  createdAt: string;
  answeredAt: string | null;
}
