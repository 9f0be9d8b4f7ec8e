"use client";

import { Button, Modal } from "@heroui/react";
import { CreatedKey, sayKeyUnseen } from "@/components/api-keys/created-key";
import { ActionForm } from "@/components/ui/action-form";
import { SelectInput } from "@/components/ui/choice-fields";
import { Dialog } from "@/components/ui/dialog";
import { TimeText } from "@/components/ui/time-text";
import { useShownOnce } from "@/components/ui/use-shown-once";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { RotateKeyInput } from "@/lib/contracts/api-keys";

interface RotatedKey {
  apiKey: string;
  previousEndsAt: string;
}

interface RotateKeyButtonProps {
  keyId: string;
  name: string;
  rotateKey: (input: RotateKeyInput) => Promise<ActionResult<RotatedKey>>;
  apiUrl: string;
}

const OVERLAPS = [
  { id: "0", name: "Not at all: the old key ends now" },
  { id: "1", name: "1 hour" },
  { id: "24", name: "1 day" },
  { id: "168", name: "7 days" },
  { id: "720", name: "30 days" },
];

/** Makes the key that takes over, and says how long both take calls. */
export function RotateKeyButton({ keyId, name, rotateKey, apiUrl }: RotateKeyButtonProps) {
  const { dialog, made: rotated, isLocked, onCopied, ask, show } = useShownOnce<RotatedKey>(sayKeyUnseen);
  return (
    <>
      <Button onPress={ask} size="sm" variant="outline">
        Rotate
      </Button>
      <Dialog
        isLocked={isLocked}
        name={rotated === undefined ? name : undefined}
        state={dialog}
        title={rotated === undefined ? "Rotate {name}" : "The key that takes over"}
      >
        {rotated === undefined ? (
          <Modal.Body>
            <RotateKeyForm keyId={keyId} onCancel={dialog.close} onDone={show} rotateKey={rotateKey} />
          </Modal.Body>
        ) : (
          <CreatedKey
            apiKey={rotated.apiKey}
            apiUrl={apiUrl}
            note={
              <>
                The key before it takes calls until <TimeText at={rotated.previousEndsAt} kind="exact" />.
              </>
            }
            onClose={dialog.close}
            onCopied={onCopied}
          />
        )}
      </Dialog>
    </>
  );
}

interface RotateKeyFormProps extends Pick<RotateKeyButtonProps, "keyId" | "rotateKey"> {
  onCancel: () => void;
  onDone: (rotated: RotatedKey) => void;
}

function RotateKeyForm({ keyId, rotateKey, onCancel, onDone }: RotateKeyFormProps) {
  return (
    <ActionForm
      action={rotateKey}
      onCancel={onCancel}
      onDone={onDone}
      read={(form) => ({ keyId, overlapHours: Number(form.get("overlapHours")) })}
      submitLabel="Make the new key"
    >
      <p className="text-pretty text-muted">
        The new key has the same name, permissions, lifetime and limit. Put it into your backend while the old one still
        works.
      </p>
      <SelectInput autoFocus choices={OVERLAPS} defaultValue="24" label="The old key goes on for" name="overlapHours" />
    </ActionForm>
  );
}
