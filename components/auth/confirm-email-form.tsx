"use client";

import { AuthForm } from "@/components/auth/auth-form";
import { PresentPassword } from "@/components/auth/present-password";
import { leaveFor } from "@/components/ui/leave-for";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ConfirmEmailFormProps {
  token: string;
  /** Where to go then. */
  doneHref: string;
  confirm: (input: { token: string; password: string }) => Promise<ActionResult<unknown>>;
}

/** Asks for the password of the sign-up, so that nobody opens an account for a stranger who used their address. */
export function ConfirmEmailForm({ token, confirm, doneHref }: ConfirmEmailFormProps) {
  return (
    <AuthForm
      action={({ password = "" }) => confirm({ token, password })}
      onDone={() => leaveFor(doneHref)}
      submitLabel="Confirm"
    >
      <PresentPassword autoFocus description="The one that you chose when you signed up." />
    </AuthForm>
  );
}
