"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
import { ActionForm } from "@/components/ui/action-form";
import { Dialog } from "@/components/ui/dialog";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ExampleNameButtonProps<Made> {
  label: string;
  /** The question: "Save as an example". */
  title: string;
  submitLabel: string;
  /** What stands in the field first. */
  name?: string;
  isDisabled?: boolean;
  action: (name: string) => Promise<ActionResult<Made>>;
  onDone: (made: Made, name: string) => void;
}

/** Asks for the name of an example, and does something with it. */
export function ExampleNameButton<Made>(props: ExampleNameButtonProps<Made>) {
  const { label, title, submitLabel, name, isDisabled, action, onDone } = props;
  const dialog = useOverlayState();
  return (
    <>
      <Button isDisabled={isDisabled} onPress={dialog.open} size="sm" variant="outline">
        {label}
      </Button>
      <Dialog state={dialog} title={title}>
        <Modal.Body>
          <ActionForm
            action={async (given: string) => {
              const result = await action(given);
              return result.ok ? { ...result, data: { made: result.data, given } } : result;
            }}
            close={dialog.close}
            onCancel={dialog.close}
            onDone={({ made, given }) => onDone(made, given)}
            read={(form) => String(form.get("draft.name") ?? "").trim()}
            submitLabel={submitLabel}
          >
            <TextInput
              autoFocus
              defaultValue={name}
              description="What kind of call it stands for."
              isRequired
              label="Name"
              maxLength={200}
              name="draft.name"
            />
          </ActionForm>
        </Modal.Body>
      </Dialog>
    </>
  );
}
