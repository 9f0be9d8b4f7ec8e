"use client";

import { useState } from "react";
import { ActionForm } from "@/components/ui/action-form";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ChangeEmailFormProps {
  requestChange: (input: { current: string; email: string }) => Promise<ActionResult<unknown>>;
}

/** Another link ends the one before. */
const NO_LINK =
  "The server could not be reached. The link may be on its way all the same: look into the new address's mail before you send another. The link of the newest mail alone works.";

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
      unanswered={NO_LINK}
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
