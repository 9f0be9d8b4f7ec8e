"use client";

import { Button } from "@heroui/react";
import { useState } from "react";
import {
  ConfirmSecondFactor,
  type EnableSecondFactor,
  type SecondFactorOffered,
} from "@/components/account/confirm-second-factor";
import { ActionForm } from "@/components/ui/action-form";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";

export type MoveSecondFactor = (input: { code: string }) => Promise<ActionResult<SecondFactorOffered>>;

interface MoveSecondFactorProps {
  move: MoveSecondFactor;
  enable: EnableSecondFactor;
  onCancel: () => void;
}

/** From one authenticator app to another: a code of the old one, then the new one is set up. */
export function MoveSecondFactorForm({ move, enable, onCancel }: MoveSecondFactorProps) {
  const [offered, setOffered] = useState<SecondFactorOffered>();
  if (offered) {
    return <ConfirmSecondFactor enable={enable} offered={offered} onDone={() => window.location.reload()} />;
  }
  return (
    <ActionForm
      action={move}
      extra={
        <Button onPress={onCancel} size="sm" variant="outline">
          Cancel
        </Button>
      }
      onDone={setOffered}
      submitLabel="Go on"
    >
      <TextInput
        autoComplete="one-time-code"
        autoFocus
        description="Of the app that you have now, or one of your recovery codes. The old app goes on working until the new one has shown a code."
        isMono
        isRequired
        label="Present code"
        maxLength={20}
        name="code"
      />
    </ActionForm>
  );
}
