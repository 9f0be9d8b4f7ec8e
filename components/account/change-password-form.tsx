"use client";

import { useState } from "react";
import { NewPasswordInput } from "@/components/auth/password-input";
import { ActionForm } from "@/components/ui/action-form";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ChangePasswordFormProps {
  changePassword: (input: { current: string; password: string }) => Promise<ActionResult<unknown>>;
}

/** The old password, then the new one; the fields are empty again afterwards. */
export function ChangePasswordForm({ changePassword }: ChangePasswordFormProps) {
  const [round, setRound] = useState(0);
  return (
    <ActionForm
      action={changePassword}
      key={round}
      onDone={() => setRound(round + 1)}
      submitLabel="Change password"
      success="Password changed. Other browsers are signed out."
    >
      <TextInput
        autoComplete="current-password"
        isRequired
        label="Current password"
        maxLength={200}
        name="current"
        type="password"
      />
      <NewPasswordInput label="New password" />
    </ActionForm>
  );
}
