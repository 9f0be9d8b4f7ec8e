"use client";

import { Button } from "@heroui/react";
import { ActionForm } from "@/components/ui/action-form";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";

interface PresentCodeFormProps<Done> {
  /** What a present code is wanted for. */
  action: (input: { code: string }) => Promise<ActionResult<Done>>;
  submitLabel: string;
  /** What happens then. */
  text: string;
  /** These two as of `useAction`. */
  unanswered?: string;
  onDone: (done: Done) => unknown;
  onCancel: () => void;
}

/** Asks for a code of the second factor that somebody has: nothing about it changes without one. */
export function PresentCodeForm<Done>(props: PresentCodeFormProps<Done>) {
  const { action, submitLabel, text, unanswered, onDone, onCancel } = props;
  return (
    <ActionForm
      action={action}
      extra={
        <Button onPress={onCancel} size="sm" variant="outline">
          Cancel
        </Button>
      }
      onDone={onDone}
      submitLabel={submitLabel}
      unanswered={unanswered}
    >
      <TextInput
        autoComplete="one-time-code"
        autoFocus
        description={`Of the app that you have now, or one of your recovery codes. ${text}`}
        isMono
        isRequired
        label="Present code"
        maxLength={20}
        name="code"
      />
    </ActionForm>
  );
}
