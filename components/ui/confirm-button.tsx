"use client";

import { Button, Form, Modal, useOverlayState } from "@heroui/react";
import type { ReactNode } from "react";
import { Dialog } from "@/components/ui/dialog";
import { DialogText } from "@/components/ui/dialog-frame";
import { FormDialogFooter } from "@/components/ui/form-dialog-footer";
import { FormError } from "@/components/ui/form-error";
import type { PartlyDone } from "@/components/ui/toasts";
import { useAction } from "@/components/ui/use-action";
import { useFormFields } from "@/components/ui/use-form-fields";
import { useRefusedField } from "@/components/ui/use-refused-field";
import { useTypedName } from "@/components/ui/use-typed-name";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ConfirmButtonProps<Input, T> {
  /** On the button that opens the question: "Delete". */
  label: string;
  /** In a list: what it is about. Screen readers read the button without its row. */
  about?: string;
  /** The question: "Delete this template?" */
  title: string;
  /** What happens then, and what stays. */
  text: ReactNode;
  /** The thing's name, to be typed; none: a plain question, for what can be undone. */
  name?: string;
  /** On the button that does it: "Delete template". */
  confirmLabel: string;
  action: (input: Input) => Promise<ActionResult<T>>;
  /** When the question is put. */
  onAsk?: () => void;
  /** As of `useAction`. */
  success?: string | ((data: T) => string | PartlyDone);
  /** As of `useAction`; the question stays until then. */
  onDone?: (data: T) => unknown;
  /** Of the opening button. */
  variant?: "danger-soft" | "outline" | "ghost" | "secondary";
  isDisabled?: boolean;
  /** Whether the act destroys something: then the confirming button is red. */
  isDestructive?: boolean;
  /** Fields below the name, and what makes the action's input of them. */
  fields?: { shown: ReactNode; read: (form: FormData) => Input };
}

/** A button that asks before it acts; what cannot be undone has to be named by hand. */
export function ConfirmButton<T, Input = undefined>(props: ConfirmButtonProps<Input, T>) {
  const { label, about, title, text, name, confirmLabel, action, success, onDone, fields } = props;
  const { variant = "outline", isDisabled, isDestructive = true } = props;
  const dialog = useOverlayState();
  const typedName = useTypedName(name);
  const { form: formRef, hasField } = useFormFields();
  const { run, isPending, fieldErrors, formError, forget } = useAction(action, {
    hasField,
    isOpen: dialog.isOpen,
    holdsNothing: !fields,
    isOfNow: fields !== undefined,
    success,
    onDone,
    close: dialog.close,
  });
  useRefusedField(formRef, fieldErrors);
  const open = () => {
    props.onAsk?.();
    typedName.forget();
    forget();
    dialog.open();
  };
  return (
    <>
      <Button
        aria-label={about && `${label}: ${about}`}
        isDisabled={isDisabled}
        onPress={open}
        size="sm"
        variant={variant}
      >
        {label}
      </Button>
      <Dialog role="alertdialog" state={dialog} title={title}>
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            if (!typedName.isNamed || isPending) return;
            run(fields ? fields.read(new FormData(event.currentTarget)) : (undefined as Input));
          }}
          ref={formRef}
          validationErrors={fieldErrors}
        >
          <Modal.Body className="grid gap-4">
            <DialogText>{text}</DialogText>
            {typedName.field}
            {fields?.shown}
            <FormError text={formError} />
          </Modal.Body>
          <FormDialogFooter
            isDestructive={isDestructive}
            isDisabled={!typedName.isNamed}
            isPending={isPending}
            onCancel={dialog.close}
            submitLabel={confirmLabel}
          />
        </Form>
      </Dialog>
    </>
  );
}
