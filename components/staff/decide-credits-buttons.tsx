"use client";

import { ReasonDialog, type ReasonedAction } from "@/components/staff/reason-dialog";
import { formatCredits } from "@/components/ui/format-number";
import type { StaffCreditRequest } from "@/lib/contracts/staff";

export type DecideCredits = ReasonedAction<{ requestId: string }>;

interface DecideCreditsButtonsProps {
  request: Pick<StaffCreditRequest, "id" | "amount" | "companyName">;
  confirm: DecideCredits;
  refuse: DecideCredits;
}

/** Confirms or refuses what a colleague wants to grant. */
export function DecideCreditsButtons({ request, confirm, refuse }: DecideCreditsButtonsProps) {
  const { id, amount, companyName } = request;
  const credits = formatCredits(amount);
  const about = `${credits} for ${companyName}`;
  return (
    <span className="flex gap-2">
      <ReasonDialog
        about={about}
        action={confirm}
        label="Confirm"
        read={() => ({ requestId: id })}
        submitLabel="Give the credits"
        success="Credits granted"
        text={
          <>
            <bdi>{companyName}</bdi> gets {credits} at once, with a line in the account's ledger.
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
