"use client";

import { ConfirmButton } from "@/components/ui/confirm-button";
import { leaveFor } from "@/components/ui/leave-for";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ErasePersonButtonProps {
  email: string;
  erase: (input: { confirmation: string }) => Promise<ActionResult<unknown>>;
}

/** Erases the person who is signed in, when their address is typed. */
export function ErasePersonButton({ email, erase }: ErasePersonButtonProps) {
  return (
    <ConfirmButton
      action={() => erase({ confirmation: email })}
      confirmLabel="Erase me"
      label="Erase me"
      name={email}
      onDone={() => leaveFor("/panel/sign-in?done=erased")}
      text="Your name, address, password, second factor and where you were signed in go for good, and you are signed out. What teams have in their audit logs of you, such as that they invited you, stays there."
      title="Erase all that is kept of you?"
      variant="danger-soft"
    />
  );
}
