"use client";

import { Button } from "@heroui/react";
import { useState } from "react";
import type { EnableSecondFactor } from "@/components/account/confirm-second-factor";
import { type MoveSecondFactor, MoveSecondFactorForm } from "@/components/account/move-second-factor";
import { RecoveryCodes } from "@/components/account/recovery-codes";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { StatusDot } from "@/components/ui/status-dot";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

interface SecondFactorSettingsProps {
  codesLeft: number;
  renew: (input: undefined) => Promise<ActionResult<{ recoveryCodes: string[] }>>;
  disable: (input: undefined) => Promise<ActionResult<unknown>>;
  /** Gives a secret for another app, for a code of the present one. */
  move: MoveSecondFactor;
  enable: EnableSecondFactor;
  /** Staff keep theirs. */
  mayDisable: boolean;
}

/** A second factor that is on. */
export function SecondFactorSettings(props: SecondFactorSettingsProps) {
  const { codesLeft, renew, disable, move, enable, mayDisable } = props;
  const [isMoving, setMoving] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const renewal = useAction(renew, { onDone: ({ recoveryCodes }) => setCodes(recoveryCodes) });
  if (codes) return <RecoveryCodes codes={codes} onDone={() => window.location.reload()} />;
  if (isMoving) {
    return (
      <div className="max-w-[440px]">
        <MoveSecondFactorForm enable={enable} move={move} onCancel={() => setMoving(false)} />
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p>
        <StatusDot status="active" tone="success" word="On" />
        <span className="ml-3 text-muted">{codesLeft} recovery codes left</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button isPending={renewal.isPending} onPress={() => renewal.run(undefined)} size="sm" variant="outline">
          New recovery codes
        </Button>
        <Button onPress={() => setMoving(true)} size="sm" variant="outline">
          Move to another app
        </Button>
        {mayDisable ? (
          <ConfirmButton
            action={() => disable(undefined)}
            confirmLabel="Switch off"
            label="Switch off"
            success="The second factor is off."
            text="Then your password alone signs you in."
            title="Switch off the second factor?"
          />
        ) : null}
      </div>
    </div>
  );
}
