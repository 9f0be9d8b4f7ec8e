"use client";

import { AuthForm } from "@/components/auth/auth-form";
import { AuthLink } from "@/components/auth/auth-frame";
import { TextInput } from "@/components/ui/fields";
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
      onDone={() => {
        window.location.assign(doneHref);
        return undefined;
      }}
      submitLabel="Confirm"
    >
      <div className="grid gap-1.5">
        <TextInput
          autoComplete="current-password"
          autoFocus
          description="The one that you chose when you signed up."
          isRequired
          label="Password"
          maxLength={200}
          name="password"
          type="password"
        />
        <p className="text-right text-code">
          <AuthLink href="/panel/forgot-password">Forgot your password?</AuthLink>
        </p>
      </div>
    </AuthForm>
  );
}
