"use client";

import { useState } from "react";
import { AuthForm } from "@/components/auth/auth-form";
import { AuthNotice } from "@/components/auth/auth-frame";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ForgotPasswordFormProps {
  request: (input: { email: string }) => Promise<ActionResult<unknown>>;
}

/** Asks for the link; what it says then is the same whether somebody has that address or not. */
export function ForgotPasswordForm({ request }: ForgotPasswordFormProps) {
  const [isSent, setSent] = useState(false);
  if (isSent) {
    return (
      <AuthNotice tone="success">
        If there is an account with that address, a mail with a link is on its way. The link works for an hour.
      </AuthNotice>
    );
  }
  return (
    <AuthForm
      action={({ email = "" }) => request({ email })}
      onDone={() => {
        setSent(true);
        return undefined;
      }}
      submitLabel="Send the link"
    >
      <TextInput
        autoComplete="username"
        autoFocus
        isRequired
        label="E-mail"
        maxLength={254}
        name="email"
        type="email"
      />
    </AuthForm>
  );
}
