"use client";

import { useState } from "react";
import { NobodyElse } from "@/components/staff/nobody-else";
import { ReasonDialog, type ReasonedAction } from "@/components/staff/reason-dialog";
import { TextInput } from "@/components/ui/fields";
import { formatNumber } from "@/components/ui/format-number";
import { readWholeNumber } from "@/components/ui/read-whole-number";
import { useOnce } from "@/components/ui/use-once";
import type { AccountRequestRecord } from "@/lib/contracts/account-requests";

/** How staff give an account credits and take some away: a button each. */

interface CreditsInput {
  accountId: string;
  amount: number;
  began: string | null;
}

interface CreditsButtonProps {
  accountId: string;
  /** Of the line of the ledger by which credits were given or taken last; null: there is none. */
  lastLineId: string | null;
}

/** A request for credits that is open. */
export type AskedCredits = Pick<AccountRequestRecord, "id" | "credits">;

interface GrantInput extends CreditsInput {
  requestId?: string;
}

interface GrantCreditsButtonProps extends CreditsButtonProps {
  action: ReasonedAction<GrantInput & { attempt?: string }, { isWaiting: boolean }>;
  /** Above it somebody else has to confirm; null: never. */
  secondAbove: number | null;
  /** Nobody else of the staff could. */
  isOnlyStaff: boolean;
  balance: number;
  /** What the account has asked for and not been answered; null: nothing. */
  asked: AskedCredits | null;
}

export function GrantCreditsButton(props: GrantCreditsButtonProps) {
  const { accountId, action, lastLineId, secondAbove, isOnlyStaff, balance, asked } = props;
  const grantOnce = useOnce<GrantInput & { reason: string }, { isWaiting: boolean }>(action);
  // As of a plan (account-buttons.tsx).
  const [began, setBegan] = useState({ asked, lastLineId });
  return (
    <ReasonDialog
      action={grantOnce}
      label="Grant"
      onAsk={() => setBegan({ asked, lastLineId })}
      read={(form) => ({
        accountId,
        amount: readWholeNumber(form, "amount") ?? 0,
        began: began.lastLineId,
        ...(began.asked && { requestId: began.asked.id }),
      })}
      submitLabel="Grant credits"
      success={({ isWaiting }) => (isWaiting ? "Waits for a second member of staff" : "Credits granted")}
      text={<GrantText isOnlyStaff={isOnlyStaff} secondAbove={secondAbove} />}
      title="Grant credits"
    >
      <TextInput
        autoFocus
        defaultValue={String(began.asked?.credits ?? "")}
        description={`${formatNumber(balance)} are there.${began.asked?.credits ? ` ${formatNumber(began.asked.credits)} were asked for.` : ""}`}
        isRequired
        label="Credits"
        name="amount"
        type="number"
      />
    </ReasonDialog>
  );
}

/** What becomes of a grant. */
export function GrantText({ secondAbove, isOnlyStaff }: Pick<GrantCreditsButtonProps, "secondAbove" | "isOnlyStaff">) {
  return (
    <>
      {grantWords(secondAbove)}
      {isOnlyStaff && secondAbove !== null ? <NobodyElse /> : null}
    </>
  );
}

function grantWords(secondAbove: number | null): string {
  if (secondAbove === null) return "They are there at once, with a line in the account's ledger.";
  if (secondAbove === 0) return "They wait until somebody else of the staff confirms them.";
  return `Up to ${formatNumber(secondAbove)} a day are there at once. More wait until somebody else of the staff confirms them.`;
}

interface WithdrawCreditsButtonProps extends CreditsButtonProps {
  action: ReasonedAction<CreditsInput & { attempt?: string }>;
  /** Credits that nothing is promised to. */
  free: number;
}

export function WithdrawCreditsButton({ accountId, action, lastLineId, free }: WithdrawCreditsButtonProps) {
  const withdrawOnce = useOnce<CreditsInput & { reason: string }, unknown>(action);
  const [began, setBegan] = useState(lastLineId);
  return (
    <ReasonDialog
      action={withdrawOnce}
      label="Withdraw"
      onAsk={() => setBegan(lastLineId)}
      read={(form) => ({ accountId, amount: readWholeNumber(form, "amount") ?? 0, began })}
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
