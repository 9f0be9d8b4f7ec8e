"use client";

import { useState } from "react";
import { ReasonDialog, type ReasonedAction } from "@/components/staff/reason-dialog";
import { SelectInput } from "@/components/ui/choice-fields";
import { TextInput } from "@/components/ui/fields";
import { readWholeNumber } from "@/components/ui/read-whole-number";
import type { PlanId } from "@/lib/domain/plans";

/** What staff can change about an account: a button each. */

interface AccountButtonProps<Input = object> {
  accountId: string;
  action: ReasonedAction<{ accountId: string } & Input>;
}

interface SetPlanButtonProps extends AccountButtonProps<{ planId: PlanId; began: PlanId; requestId?: string }> {
  plan: PlanId;
  plans: { id: PlanId; name: string }[];
  /** Whether the account has a rate limit of its own, which stays. */
  hasOwnLimit: boolean;
  /** The request for another plan that is not answered; null: there is none. */
  requestId: string | null;
}

export function SetPlanButton({ accountId, action, plan, plans, hasOwnLimit, requestId }: SetPlanButtonProps) {
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
      text={
        hasOwnLimit
          ? "Its tokens per month count from the next call on. The account keeps the rate limit of its own."
          : "Its rate limit and its tokens per month count from the next call on."
      }
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
