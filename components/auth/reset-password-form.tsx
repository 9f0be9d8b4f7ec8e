"use client";

import { AuthForm } from "@/components/auth/auth-form";
import { NewPasswordInput } from "@/components/auth/password-input";
import { leaveFor } from "@/components/ui/leave-for";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ResetPasswordFormProps {
  token: string;
  reset: (input: { token: string; password: string }) => Promise<ActionResult<unknown>>;
}

/** Sets a new password by a one-time link, then leads to the sign-in. */
export function ResetPasswordForm({ token, reset }: ResetPasswordFormProps) {
  return (
    <AuthForm
      action={({ password = "" }) => reset({ token, password })}
      onDone={() => leaveFor("/panel/sign-in?done=password")}
      submitLabel="Set the password"
    >
      <NewPasswordInput label="New password" />
    </AuthForm>
  );
}
