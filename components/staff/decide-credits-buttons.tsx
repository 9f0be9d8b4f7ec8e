"use client";

import { useState } from "react";
import { ReasonDialog, type ReasonedAction } from "@/components/staff/reason-dialog";
import { formatCredits } from "@/components/ui/format-number";
import type { StaffCreditRequest } from "@/lib/contracts/staff";

export type DecideCredits = ReasonedAction<{ requestId: string }>;
export type ConfirmCredits = ReasonedAction<{ requestId: string; givenSince: number }>;

interface DecideCreditsButtonsProps {
  request: Pick<StaffCreditRequest, "id" | "amount" | "companyName" | "givenSince" | "isSuspended">;
  confirm: ConfirmCredits;
  refuse: DecideCredits;
}

/** Confirms or refuses what a colleague wants to grant. */
export function DecideCreditsButtons({ request, confirm, refuse }: DecideCreditsButtonsProps) {
  const { id, amount, companyName, givenSince, isSuspended } = request;
  // As of a plan (account-buttons.tsx).
  const [seen, setSeen] = useState(givenSince);
  const credits = formatCredits(amount);
  const about = `${credits} for ${companyName}`;
  return (
    <span className="flex gap-2">
      <ReasonDialog
        about={about}
        action={confirm}
        label="Confirm"
        onAsk={() => setSeen(givenSince)}
        read={() => ({ requestId: id, givenSince: seen })}
        submitLabel="Give the credits"
        success="Credits granted"
        text={
          <>
            <bdi>{companyName}</bdi> gets {credits} at once, with a line in the account's ledger.
            <GivenSince credits={seen} />
            <OfSuspended isSuspended={isSuspended} />
          </>
        }
        title="Confirm this grant?"
      />
      <ReasonDialog
        about={about}
        action={refuse}
        label="Refuse"
        read={() => ({ requestId: id })}
        submitLabel="Refuse the grant"
        success="Grant refused"
        text={
          <>
            <bdi>{companyName}</bdi> does not get {credits}. Whoever asked sees why.
          </>
        }
        title="Refuse this grant?"
      />
    </span>
  );
}

/** Nothing where nothing was given: the same payment may have been paid out already. */
export function GivenSince({ credits }: { credits: number }) {
  return credits > 0 ? (
    <strong className="block font-medium text-foreground">
      Since it was asked for, {formatCredits(credits)} were given otherwise.
    </strong>
  ) : null;
}

/** A company may be closed while the grant waits, for the very reason that would have it refused. */
export function OfSuspended({ isSuspended }: { isSuspended: boolean }) {
  return isSuspended ? <strong className="block font-medium text-foreground">The account is suspended.</strong> : null;
}

/** For whoever asked: only others confirm it, but a slip of the hand need not wait for one of them. */
export function TakeBackCreditsButton({
  request,
  takeBack,
}: Pick<DecideCreditsButtonsProps, "request"> & { takeBack: DecideCredits }) {
  const { id, amount, companyName } = request;
  const credits = formatCredits(amount);
  return (
    <ReasonDialog
      about={`${credits} for ${companyName}`}
      action={takeBack}
      label="Take back"
      read={() => ({ requestId: id })}
      submitLabel="Take the grant back"
      success="Grant taken back"
      text={
        <>
          Nobody can give <bdi>{companyName}</bdi> these {credits} any more.
        </>
      }
      title="Take this grant back?"
    />
  );
}
