"use client";

import { Button, Form, Modal, useOverlayState } from "@heroui/react";
import type { ReactNode } from "react";
import { Dialog } from "@/components/ui/dialog";
import { TextAreaInput } from "@/components/ui/fields";
import { FormDialogFooter } from "@/components/ui/form-dialog-footer";
import { FormError } from "@/components/ui/form-error";
import { useAction } from "@/components/ui/use-action";
import { useFormFields } from "@/components/ui/use-form-fields";
import { useRefusedField } from "@/components/ui/use-refused-field";
import { useTypedName } from "@/components/ui/use-typed-name";
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
  const {
    label,
    about,
    title,
    text,
    action,
    read,
    submitLabel,
    success,
    name,
    isDestructive = false,
    children,
  } = props;
  const dialog = useOverlayState();
  const typedName = useTypedName(name);
  const { form: formRef, hasField } = useFormFields();
  const acting = useAction(action, {
    success,
    onDone: dialog.close,
    hasField,
    isOpen: dialog.isOpen,
    isOfNow: true,
  });
  const { run, isPending, fieldErrors, formError } = acting;
  useRefusedField(formRef, fieldErrors);
  const open = () => {
    typedName.forget();
    acting.forget();
    dialog.open();
  };
  return (
    <>
      <Button
        aria-label={about && `${label}: ${about}`}
        onPress={open}
        size="sm"
        variant={isDestructive ? "danger-soft" : "outline"}
      >
        {label}
      </Button>
      <Dialog role="alertdialog" state={dialog} title={title}>
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            if (!typedName.isNamed || isPending) return;
            const form = new FormData(event.currentTarget);
            run({ ...read(form), reason: String(form.get("reason") ?? "") });
          }}
          ref={formRef}
          validationErrors={fieldErrors}
        >
          <Modal.Body className="grid gap-4">
            <p className="text-pretty text-muted [overflow-wrap:anywhere]">{text}</p>
            {children}
            {typedName.field}
            <ReasonField autoFocus={!children && name === undefined} />
            <FormError text={formError} />
          </Modal.Body>
          <FormDialogFooter
            isDestructive={isDestructive}
            isDisabled={!typedName.isNamed}
            isPending={isPending}
            onCancel={dialog.close}
            submitLabel={submitLabel}
          />
        </Form>
      </Dialog>
    </>
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
