"use client";

import { useState } from "react";
import { AuthForm } from "@/components/auth/auth-form";
import { AuthNotice } from "@/components/auth/auth-frame";
import { NewPasswordInput } from "@/components/auth/password-input";
import { ResendConfirmation } from "@/components/auth/resend-confirmation";
import { signInWithPassword } from "@/components/auth/sign-in-with-password";
import { signInWords } from "@/components/auth/sign-in-words";
import { TextInput } from "@/components/ui/fields";
import { leaveFor } from "@/components/ui/leave-for";
import type { ActionResult } from "@/lib/contracts/action-result";

interface SignUpFormProps {
  signUp: (input: {
    company: string;
    email: string;
    password: string;
  }) => Promise<ActionResult<{ needsConfirmation: boolean }>>;
  resend: (input: { email: string }) => Promise<ActionResult<unknown>>;
}

/** Opens an account and, unless the address has to be confirmed first, goes into it. */
export function SignUpForm({ signUp, resend }: SignUpFormProps) {
  const [mailedTo, setMailedTo] = useState<string>();
  if (mailedTo !== undefined) {
    return (
      <>
        <AuthNotice tone="success">
          We sent a mail to <strong className="font-medium [overflow-wrap:anywhere]">{mailedTo}</strong>. Open the link
          in it to go on.
        </AuthNotice>
        <ResendConfirmation email={mailedTo} resend={resend} />
      </>
    );
  }
  return (
    <AuthForm
      action={({ company = "", email = "", password = "" }) => signUp({ company, email, password })}
      onDone={async ({ needsConfirmation }, { email, password }) => {
        if (needsConfirmation) {
          setMailedTo(email);
          return undefined;
        }
        const problem = await signInWithPassword({ email, password });
        if (problem !== null) return signInWords(problem);
        return leaveFor("/panel");
      }}
      submitLabel="Create account"
    >
      <TextInput autoComplete="organization" autoFocus isRequired label="Company" maxLength={200} name="company" />
      <TextInput autoComplete="username" isRequired label="E-mail" maxLength={254} name="email" type="email" />
      <NewPasswordInput />
    </AuthForm>
  );
}
