"use client";

import { ConfirmButton } from "@/components/ui/confirm-button";
import type { ActionResult } from "@/lib/contracts/action-result";

interface SignOutElsewhereProps {
  signOutElsewhere: (input: undefined) => Promise<ActionResult<{ sessions: number }>>;
}

/** Ends every session but the present one. */
export function SignOutElsewhere({ signOutElsewhere }: SignOutElsewhereProps) {
  return (
    <ConfirmButton
      action={() => signOutElsewhere(undefined)}
      confirmLabel="Sign them out"
      label="Sign out everywhere else"
      success="Signed out everywhere else."
      text="All other browsers have to sign in again. This one stays signed in."
      title="Sign out everywhere else?"
    />
  );
}
