"use client";

import { Button } from "@heroui/react";
import { useState } from "react";
import {
  ConfirmSecondFactor,
  type EnableSecondFactor,
  type SecondFactorOffered,
} from "@/components/account/confirm-second-factor";
import { leaveFor } from "@/components/ui/leave-for";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

export interface SetUpSecondFactorProps {
  offer: (input: undefined) => Promise<ActionResult<SecondFactorOffered>>;
  enable: EnableSecondFactor;
  /** Where to go at the end. */
  doneHref: string;
  /** Once it has begun. */
  onOffered?: () => void;
}

/** The way to a first second factor. */
export function SetUpSecondFactor({ offer, enable, doneHref, onOffered }: SetUpSecondFactorProps) {
  const [offered, setOffered] = useState<SecondFactorOffered>();
  const start = useAction(offer, {
    onDone: (secret) => {
      setOffered(secret);
      onOffered?.();
    },
  });
  if (offered) {
    return (
      <div className="max-w-[440px]">
        <ConfirmSecondFactor enable={enable} offered={offered} onDone={() => leaveFor(doneHref)} />
      </div>
    );
  }
  return (
    <Button isPending={start.isPending} onPress={() => start.run(undefined)} size="sm">
      Set up
    </Button>
  );
}
