"use client";

import { useState } from "react";
import { ActionForm } from "@/components/ui/action-form";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ChangeEmailFormProps {
  requestChange: (input: { current: string; email: string }) => Promise<ActionResult<unknown>>;
}

/** The new address and the password; the fields are empty again afterwards. */
export function ChangeEmailForm({ requestChange }: ChangeEmailFormProps) {
  const [round, setRound] = useState(0);
  return (
    <ActionForm
      action={requestChange}
      isGuarded
      key={round}
      onDone={() => setRound(round + 1)}
      submitLabel="Send the link"
      success="Look into the new address's mail. The link there works for an hour."
    >
      <TextInput autoComplete="email" isRequired label="New e-mail address" maxLength={254} name="email" type="email" />
      <TextInput
        autoComplete="current-password"
        isRequired
        label="Your password"
        maxLength={400}
        name="current"
        type="password"
      />
    </ActionForm>
  );
}
