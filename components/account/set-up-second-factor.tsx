"use client";

import { Button } from "@heroui/react";
import { type ReactNode, useState } from "react";
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
  /** Below it, until it is on: what to do instead. */
  instead?: ReactNode;
}

/** The way to a first second factor. */
export function SetUpSecondFactor(props: SetUpSecondFactorProps) {
  const { offer, enable, withdraw, doneHref, onOffered, onCancel, instead } = props;
  // The button takes the focus when it is back: the form that stood in its place had it.
  const [isCancelled, setCancelled] = useState(false);
  const [offered, setOffered] = useState<SecondFactorOffered>();
  const [isOn, setOn] = useState(false);
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
  return (
    <>
      {offered ? (
        <div className="max-w-[440px]">
          <ConfirmSecondFactor
            enable={enable}
            offered={offered}
            onCancel={cancel}
            onDone={() => leaveFor(doneHref)}
            onEnabled={() => setOn(true)}
            withdraw={withdraw}
          />
        </div>
      ) : (
        <Button autoFocus={isCancelled} isPending={start.isPending} onPress={() => start.run(undefined)} size="sm">
          Set up
        </Button>
      )}
      {isOn ? null : instead}
    </>
  );
}
