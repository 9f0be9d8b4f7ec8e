"use client";

import { Button, Form } from "@heroui/react";
import { type ReactNode, useState } from "react";
import { FormDialogFooter } from "@/components/ui/form-dialog-footer";
import { FormError } from "@/components/ui/form-error";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useAction } from "@/components/ui/use-action";
import { useEarlyInput } from "@/components/ui/use-early-input";
import { useFormFields } from "@/components/ui/use-form-fields";
import { useRefusedField } from "@/components/ui/use-refused-field";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ActionFormProps<Input, T> {
  action: (input: Input) => Promise<ActionResult<T>>;
  /** Makes the action's input of what was filled in; without it, every field's text by its name. */
  read?: (form: FormData) => Input;
  /** The submit button, a verb: "Create key". */
  submitLabel: string;
  submitVariant?: "primary" | "danger";
  success?: string | ((data: T) => string);
  /** As of `useAction`. */
  onDone?: (data: T) => unknown;
  /** As of `useAction`. */
  close?: () => void;
  /** As of `useAction`. */
  unanswered?: string;
  /** As of `useAction`. */
  onLost?: () => void;
  /** In a dialog: leaves it. */
  onCancel?: () => void;
  /** Beside the submit button, where it stands on a page. */
  extra?: ReactNode;
  /** On a page: asks before what was filled in is lost to a link. */
  isGuarded?: boolean;
  children: ReactNode;
}

/**
 * A form over a server action of the panel: pending on the button, errors at the fields (each field of
 * components/ui/fields.tsx finds its own by name) and above the button where the form has no such field, a toast for the
 * rest.
 */
export function ActionForm<Input, T>(props: ActionFormProps<Input, T>) {
  const { action, read, success, onDone, children } = props;
  const [isWritten, setWritten] = useState(false);
  const { form: formRef, hasField } = useFormFields();
  const { run, isPending, fieldErrors, formError } = useAction(action, {
    success,
    onDone: (data: T) => {
      setWritten(false);
      return onDone?.(data);
    },
    close: props.close,
    hasField,
    unanswered: props.unanswered,
    onLost: props.onLost,
  });
  useRefusedField(formRef, fieldErrors);
  useEarlyInput(formRef);
  return (
    <Form
      className="grid gap-5"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        run(read ? read(form) : (Object.fromEntries(form) as Input));
      }}
      ref={formRef}
      validationErrors={fieldErrors}
    >
      {props.isGuarded ? (
        <>
          <div className="contents" onChange={() => setWritten(true)}>
            {children}
          </div>
          <UnsavedGuard isDirty={isWritten} />
        </>
      ) : (
        children
      )}
      <FormError text={formError} />
      <FormEnd
        extra={props.extra}
        isPending={isPending}
        onCancel={props.onCancel}
        submitLabel={props.submitLabel}
        submitVariant={props.submitVariant}
      />
    </Form>
  );
}

type FormEndProps = Pick<ActionFormProps<never, never>, "submitLabel" | "submitVariant" | "onCancel" | "extra"> & {
  isPending: boolean;
};

/** The buttons: of a dialog, or of a form that stands on a page. */
function FormEnd({ submitLabel, submitVariant = "primary", onCancel, extra, isPending }: FormEndProps) {
  if (onCancel) {
    return (
      <FormDialogFooter
        isDestructive={submitVariant === "danger"}
        isPending={isPending}
        onCancel={onCancel}
        submitLabel={submitLabel}
      />
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button isPending={isPending} size="sm" type="submit" variant={submitVariant}>
        {submitLabel}
      </Button>
      {extra}
    </div>
  );
}
