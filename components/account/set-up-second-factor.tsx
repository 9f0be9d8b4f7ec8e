"use client";

import { Button } from "@heroui/react";
import { useState } from "react";
import {
  ConfirmSecondFactor,
  type EnableSecondFactor,
  type SecondFactorOffered,
  type WithdrawSecondFactorOffer,
} from "@/components/account/confirm-second-factor";
import { leaveFor } from "@/components/ui/leave-for";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

export interface SetUpSecondFactorProps {
  offer: (input: undefined) => Promise<ActionResult<SecondFactorOffered>>;
  enable: EnableSecondFactor;
  withdraw: WithdrawSecondFactorOffer;
  /** Where to go at the end. */
  doneHref: string;
  /** Once it has begun. */
  onOffered?: () => void;
  /** Once it was given up. */
  onCancel?: () => void;
}

/** The way to a first second factor. */
export function SetUpSecondFactor(props: SetUpSecondFactorProps) {
  const { offer, enable, withdraw, doneHref, onOffered, onCancel } = props;
  // The button takes the focus when it is back: the form that stood in its place had it.
  const [isCancelled, setCancelled] = useState(false);
  const [offered, setOffered] = useState<SecondFactorOffered>();
  const start = useAction(offer, {
    onDone: (secret) => {
      setOffered(secret);
      onOffered?.();
    },
  });
  const cancel = () => {
    setOffered(undefined);
    setCancelled(true);
    onCancel?.();
  };
  if (offered) {
    return (
      <div className="max-w-[440px]">
        <ConfirmSecondFactor
          enable={enable}
          offered={offered}
          onCancel={cancel}
          onDone={() => leaveFor(doneHref)}
          withdraw={withdraw}
        />
      </div>
    );
  }
  return (
    <Button autoFocus={isCancelled} isPending={start.isPending} onPress={() => start.run(undefined)} size="sm">
      Set up
    </Button>
  );
}
