"use client";

import { ActionForm } from "@/components/ui/action-form";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { AlertChatInput } from "@/lib/contracts/alert-chat";

interface AlertChatFormProps {
  save: (input: AlertChatInput) => Promise<ActionResult<unknown>>;
}

/** Takes the address of a chat's incoming webhook, where there is none yet. */
export function AlertChatForm({ save }: AlertChatFormProps) {
  return (
    <ActionForm
      action={save}
      isGuarded
      read={(form) => ({ address: readAddress(form), began: null })}
      submitLabel="Set the chat"
      success="Set. Send a test to see whether it arrives."
    >
      <AddressInput />
    </ActionForm>
  );
}

/** The field of the address alone, for the form and for the question that puts another one in its place. */
export function AddressInput() {
  return (
    <TextInput
      autoComplete="off"
      description="Of Slack, Microsoft Teams (Workflows), Google Chat or Discord. Whoever has it can write there, so it is kept encrypted and not shown again."
      isRequired
      label="Address of an incoming webhook"
      maxLength={2_048}
      name="address"
      placeholder="https://hooks.slack.com/services/…"
      type="url"
    />
  );
}

export function readAddress(form: FormData): string {
  return String(form.get("address") ?? "");
}
