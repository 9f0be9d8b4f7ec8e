"use client";

import { useState } from "react";
import { ReasonDialog, type ReasonedAction } from "@/components/staff/reason-dialog";
import { SelectInput } from "@/components/ui/choice-fields";
import { TextInput } from "@/components/ui/fields";
import { formatNumber } from "@/components/ui/format-number";
import { readWholeNumber } from "@/components/ui/read-whole-number";
import { useOnce } from "@/components/ui/use-once";
import type { AccountRequestRecord } from "@/lib/contracts/account-requests";
import type { PlanId } from "@/lib/domain/plans";

/** What staff can change about an account: a button each. */

interface AccountButtonProps<Input = object> {
  accountId: string;
  action: ReasonedAction<{ accountId: string } & Input>;
}

interface SetPlanButtonProps extends AccountButtonProps<{ planId: PlanId; began: PlanId; requestId?: string }> {
  plan: PlanId;
  plans: { id: PlanId; name: string }[];
  /** The request for another plan that is not answered; null: there is none. */
  requestId: string | null;
}

export function SetPlanButton({ accountId, action, plan, plans, requestId }: SetPlanButtonProps) {
  // As it was when the question was put: the page beneath may be drawn anew meanwhile, with what a colleague set.
  const [began, setBegan] = useState({ plan, requestId });
  return (
    <ReasonDialog
      action={action}
      label="Change plan"
      onAsk={() => setBegan({ plan, requestId })}
      read={(form) => ({
        accountId,
        planId: String(form.get("planId")) as PlanId,
        began: began.plan,
        ...(began.requestId !== null && { requestId: began.requestId }),
      })}
      submitLabel="Change plan"
      success="Plan changed"
      text="Its rate limit and its tokens per month count from the next call on."
      title="Change the plan"
    >
      <SelectInput autoFocus choices={plans} defaultValue={plan} label="Plan" name="planId" />
    </ReasonDialog>
  );
}

interface SetRateLimitButtonProps
  extends AccountButtonProps<{
    rateLimitPerMinute: number | null;
    began: number | null;
  }> {
  rateLimitPerMinute: number | null;
  /** What the plan gives. */
  ofPlan: number;
}

export function SetRateLimitButton({ accountId, action, rateLimitPerMinute, ofPlan }: SetRateLimitButtonProps) {
  // As of a plan.
  const [began, setBegan] = useState(rateLimitPerMinute);
  return (
    <ReasonDialog
      action={action}
      label="Change limit"
      onAsk={() => setBegan(rateLimitPerMinute)}
      read={(form) => ({ accountId, rateLimitPerMinute: readWholeNumber(form, "rateLimitPerMinute"), began })}
      submitLabel="Change limit"
      success="Rate limit changed"
      text="Counts from the next call on, in every process."
      title="Change the rate limit"
    >
      <TextInput
        autoFocus
        defaultValue={rateLimitPerMinute === null ? "" : String(rateLimitPerMinute)}
        description={`Requests per key and minute. Empty: the plan's ${ofPlan}.`}
        label="Requests per minute"
        name="rateLimitPerMinute"
        type="number"
      />
    </ReasonDialog>
  );
}

interface CreditsInput {
  accountId: string;
  amount: number;
}

/** A request for credits that is open. */
export type AskedCredits = Pick<AccountRequestRecord, "id" | "credits">;

interface GrantInput extends CreditsInput {
  requestId?: string;
}

interface GrantCreditsButtonProps {
  accountId: string;
  action: ReasonedAction<GrantInput & { attempt?: string }, { isWaiting: boolean }>;
  /** Above it somebody else has to confirm; null: never. */
  secondAbove: number | null;
  balance: number;
  /** What the account has asked for and not been answered; null: nothing. */
  asked: AskedCredits | null;
}

export function GrantCreditsButton({ accountId, action, secondAbove, balance, asked }: GrantCreditsButtonProps) {
  const grantOnce = useOnce<GrantInput & { reason: string }, { isWaiting: boolean }>(action);
  // As of a plan.
  const [began, setBegan] = useState(asked);
  return (
    <ReasonDialog
      action={grantOnce}
      label="Grant"
      onAsk={() => setBegan(asked)}
      read={(form) => ({
        accountId,
        amount: readWholeNumber(form, "amount") ?? 0,
        ...(began && { requestId: began.id }),
      })}
      submitLabel="Grant credits"
      success={({ isWaiting }) => (isWaiting ? "Waits for a second member of staff" : "Credits granted")}
      text={
        secondAbove === null
          ? "They are there at once, with a line in the account's ledger."
          : `Up to ${formatNumber(secondAbove)} a day are there at once. More wait until somebody else of the staff confirms them.`
      }
      title="Grant credits"
    >
      <TextInput
        autoFocus
        defaultValue={String(began?.credits ?? "")}
        description={`${formatNumber(balance)} are there.${began?.credits ? ` ${formatNumber(began.credits)} were asked for.` : ""}`}
        isRequired
        label="Credits"
        name="amount"
        type="number"
      />
    </ReasonDialog>
  );
}

interface WithdrawCreditsButtonProps extends AccountButtonProps<{ amount: number; attempt?: string }> {
  /** Credits that nothing is promised to. */
  free: number;
}

export function WithdrawCreditsButton({ accountId, action, free }: WithdrawCreditsButtonProps) {
  const withdrawOnce = useOnce<CreditsInput & { reason: string }, unknown>(action);
  return (
    <ReasonDialog
      action={withdrawOnce}
      label="Withdraw"
      read={(form) => ({ accountId, amount: readWholeNumber(form, "amount") ?? 0 })}
      submitLabel="Withdraw credits"
      success="Credits withdrawn"
      text="What running work has reserved stays its own."
      title="Withdraw credits"
    >
      <TextInput
        autoFocus
        description={`${formatNumber(Math.max(0, free))} are free.`}
        isRequired
        label="Credits"
        name="amount"
        type="number"
      />
    </ReasonDialog>
  );
}

interface SuspendButtonProps extends AccountButtonProps {
  companyName: string;
  /** Whether the service sends mail. */
  canMail: boolean;
}

export function SuspendButton({ accountId, action, companyName, canMail }: SuspendButtonProps) {
  const telling = canMail
    ? "Its owners and admins are told by mail; its people read the reason on their verification page."
    : "This service sends no mail: nobody is told of it. Its people read the reason on their verification page.";
  return (
    <ReasonDialog
      action={action}
      isDestructive
      label="Suspend"
      name={companyName}
      read={() => ({ accountId })}
      submitLabel="Suspend the account"
      success="Account suspended"
      text={`Every one of its keys answers 403 from the next call on, in every process. Nothing is deleted. ${telling}`}
      title="Suspend this account?"
    />
  );
}

export function RestoreButton({ accountId, action }: AccountButtonProps) {
  return (
    <ReasonDialog
      action={action}
      label="Restore"
      read={() => ({ accountId })}
      submitLabel="Restore the account"
      success="Account restored"
      text="It is again what it was before: the keys of a verified company work from the next call on."
      title="End the suspension?"
    />
  );
}
