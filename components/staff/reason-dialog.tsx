"use client";

import type { ReactNode } from "react";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { TextAreaInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";

/** An action of staff that changes something of an account and wants to know why. */
export type ReasonedAction<Input, Data = unknown> = (input: Input & { reason: string }) => Promise<ActionResult<Data>>;

interface ReasonDialogProps<Input, Data> {
  /** On the button that opens it: "Suspend". */
  label: string;
  /** As of `ConfirmButton`. */
  about?: string;
  title: string;
  /** What happens then. */
  text: ReactNode;
  action: ReasonedAction<Input, Data>;
  /** As of `ConfirmButton`. */
  onAsk?: () => void;
  /** Makes the rest of the action's input of what was filled in. */
  read: (form: FormData) => Input;
  submitLabel: string;
  success: string | ((data: Data) => string);
  /** Has to be typed, where the act hurts. */
  name?: string;
  isDestructive?: boolean;
  /** Fields above the reason; the first of them takes the focus. */
  children?: ReactNode;
}

/** A button that asks for the reason before it acts; the audit log keeps it. */
export function ReasonDialog<Input, Data>(props: ReasonDialogProps<Input, Data>) {
  const { read, submitLabel, isDestructive = false, children, ...question } = props;
  return (
    <ConfirmButton<Data, Input & { reason: string }>
      {...question}
      confirmLabel={submitLabel}
      fields={{
        read: (form) => ({ ...read(form), reason: String(form.get("reason") ?? "") }),
        shown: (
          <>
            {children}
            <ReasonField autoFocus={!children && props.name === undefined} />
          </>
        ),
      }}
      isDestructive={isDestructive}
      variant={isDestructive ? "danger-soft" : "outline"}
    />
  );
}

function ReasonField({ autoFocus }: { autoFocus: boolean }) {
  return (
    <TextAreaInput
      autoFocus={autoFocus}
      description="Kept in the audit log, which the company's people can read."
      isRequired
      label="Reason"
      maxLength={500}
      name="reason"
      rows={2}
    />
  );
}
