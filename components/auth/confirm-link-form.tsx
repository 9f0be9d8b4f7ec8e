"use client";

import { AuthForm } from "@/components/auth/auth-form";
import { PresentPassword } from "@/components/auth/present-password";
import { leaveFor } from "@/components/ui/leave-for";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ConfirmLinkFormProps {
  token: string;
  /** Where to go then. */
  doneHref: string;
  /** Where the person of the link is not signed in. */
  asksPassword: boolean;
  confirm: (input: { token: string; password?: string }) => Promise<ActionResult<unknown>>;
}

/** One press: mail scanners open links, but press no buttons. */
export function ConfirmLinkForm({ token, confirm, doneHref, asksPassword }: ConfirmLinkFormProps) {
  return (
    <AuthForm
      action={({ password }) => confirm({ token, ...(password && { password }) })}
      onDone={() => leaveFor(doneHref)}
      submitLabel="Confirm"
    >
      {asksPassword ? <PresentPassword autoFocus description="Of the account that gets this address." /> : null}
    </AuthForm>
  );
}
