"use client";

import { Button } from "@heroui/react";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { EnableSecondFactor, WithdrawSecondFactorOffer } from "@/components/account/confirm-second-factor";
import { type MoveSecondFactor, MoveSecondFactorForm } from "@/components/account/move-second-factor";
import { PresentCodeForm } from "@/components/account/present-code-form";
import { RecoveryCodes, useRecoveryCodes } from "@/components/account/recovery-codes";
import { leaveForItself } from "@/components/ui/leave-for";
import { StatusDot } from "@/components/ui/status-dot";
import type { ActionResult } from "@/lib/contracts/action-result";

export interface SecondFactorSettingsProps {
  codesLeft: number;
  /** These three take a code of the present one. */
  renew: (input: { code: string }) => Promise<ActionResult<{ recoveryCodes: string[] }>>;
  disable: (input: { code: string }) => Promise<ActionResult<unknown>>;
  /** Gives a secret for another app. */
  move: MoveSecondFactor;
  enable: EnableSecondFactor;
  withdraw: WithdrawSecondFactorOffer;
  /** Staff keep theirs. */
  mayDisable: boolean;
}

type Change = "renew" | "move" | "disable";

const BUTTONS: [Change, string][] = [
  ["renew", "New recovery codes"],
  ["move", "Move to another app"],
  ["disable", "Switch off"],
];

const NO_CODES =
  "The server could not be reached. New codes may have been made that nobody saw, and the older ones no longer work then: make new ones once more, with the next code of your app.";

const UNSEEN = "They were made after you left the page, and the older ones no longer work: make new ones once more.";

/** A second factor that is on. */
export function SecondFactorSettings(props: SecondFactorSettingsProps) {
  const { codesLeft, renew, disable, move, enable, withdraw, mayDisable } = props;
  const [change, setChange] = useState<Change>();
  // Its button takes the focus when it is back: the form that stood in its place had it.
  const [cancelled, setCancelled] = useState<Change>();
  const { codes, show } = useRecoveryCodes(UNSEEN);
  const onCancel = () => {
    setCancelled(change);
    setChange(undefined);
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={leaveForItself} />;
  if (change) {
    const forms: Record<Change, ReactNode> = {
      move: <MoveSecondFactorForm enable={enable} move={move} onCancel={onCancel} withdraw={withdraw} />,
      renew: (
        <PresentCodeForm
          action={renew}
          onCancel={onCancel}
          onDone={show}
          submitLabel="Make new codes"
          text="The older recovery codes stop working."
          unanswered={NO_CODES}
        />
      ),
      disable: (
        <PresentCodeForm
          action={disable}
          onCancel={onCancel}
          onDone={leaveForItself}
          submitLabel="Switch it off"
          text="Without a second factor your password alone signs you in."
        />
      ),
    };
    return <div className="max-w-[440px]">{forms[change]}</div>;
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <StatusDot status="active" tone="success" word="On" />
        <CodesLeft count={codesLeft} />
      </p>
      <ChangeButtons cancelled={cancelled} mayDisable={mayDisable} onChange={setChange} />
    </div>
  );
}

interface ChangeButtonsProps extends Pick<SecondFactorSettingsProps, "mayDisable"> {
  cancelled: Change | undefined;
  onChange: (change: Change) => void;
}

function ChangeButtons({ mayDisable, cancelled, onChange }: ChangeButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      {BUTTONS.filter(([id]) => mayDisable || id !== "disable").map(([id, label]) => (
        <Button autoFocus={id === cancelled} key={id} onPress={() => onChange(id)} size="sm" variant="outline">
          {label}
        </Button>
      ))}
    </div>
  );
}

function CodesLeft({ count }: { count: number }) {
  if (count > 0) {
    return <span className="text-muted">{count === 1 ? "1 recovery code left" : `${count} recovery codes left`}</span>;
  }
  return (
    <span className="flex items-baseline gap-1.5">
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0 self-center text-warning" />
      No recovery codes left: make new ones, or losing the app locks you out.
    </span>
  );
}
