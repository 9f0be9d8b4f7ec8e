"use client";

import { useState } from "react";
import {
  ConfirmSecondFactor,
  type EnableSecondFactor,
  type SecondFactorOffered,
  type WithdrawSecondFactorOffer,
} from "@/components/account/confirm-second-factor";
import { PresentCodeForm } from "@/components/account/present-code-form";
import { leaveForItself } from "@/components/ui/leave-for";
import type { ActionResult } from "@/lib/contracts/action-result";

export type MoveSecondFactor = (input: { code: string }) => Promise<ActionResult<SecondFactorOffered>>;

interface MoveSecondFactorProps {
  move: MoveSecondFactor;
  enable: EnableSecondFactor;
  withdraw: WithdrawSecondFactorOffer;
  onCancel: () => void;
}

/** From one authenticator app to another: a code of the old one, then the new one is set up. */
export function MoveSecondFactorForm({ move, enable, withdraw, onCancel }: MoveSecondFactorProps) {
  const [offered, setOffered] = useState<SecondFactorOffered>();
  if (offered) {
    return (
      <ConfirmSecondFactor
        enable={enable}
        offered={offered}
        onCancel={onCancel}
        onDone={leaveForItself}
        withdraw={withdraw}
      />
    );
  }
  return (
    <PresentCodeForm
      action={move}
      onCancel={onCancel}
      onDone={setOffered}
      submitLabel="Go on"
      text="The old app goes on working until the new one has shown a code."
    />
  );
}
