"use client";

import { AuthForm } from "@/components/auth/auth-form";
import { TextInput } from "@/components/ui/fields";
import { leaveFor } from "@/components/ui/leave-for";
import type { ActionResult } from "@/lib/contracts/action-result";

interface OpenAccountFormProps {
  open: (input: { company: string }) => Promise<ActionResult<unknown>>;
}

/** Opens an account for a company of the person who is signed in. */
export function OpenAccountForm({ open }: OpenAccountFormProps) {
  return (
    <AuthForm
      action={({ company = "" }) => open({ company })}
      onDone={() => leaveFor("/panel")}
      submitLabel="Create account"
    >
      <TextInput autoComplete="organization" isRequired label="Company" maxLength={200} name="company" />
    </AuthForm>
  );
}
