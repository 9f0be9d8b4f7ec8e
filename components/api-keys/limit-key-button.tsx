"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
import { KeyCreditsInput } from "@/components/api-keys/key-credits-input";
import { ActionForm } from "@/components/ui/action-form";
import { Dialog } from "@/components/ui/dialog";
import { readWholeNumber } from "@/components/ui/read-whole-number";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { ApiKeyRecord, LimitKeyInput } from "@/lib/contracts/api-keys";

interface LimitKeyButtonProps {
  apiKey: Pick<ApiKeyRecord, "id" | "name" | "creditsPerMonth">;
  limitKey: (input: LimitKeyInput) => Promise<ActionResult<null>>;
}

/** Asks what a key may use in a month. */
export function LimitKeyButton({ apiKey: { id, name, creditsPerMonth }, limitKey }: LimitKeyButtonProps) {
  const dialog = useOverlayState();
  return (
    <>
      <Button onPress={dialog.open} size="sm" variant="outline">
        Limit
      </Button>
      <Dialog name={name} state={dialog} title="Limit {name}">
        <Modal.Body>
          <ActionForm
            action={limitKey}
            close={dialog.close}
            onCancel={dialog.close}
            read={(form) => ({ keyId: id, creditsPerMonth: readWholeNumber(form, "creditsPerMonth") })}
            submitLabel="Save"
            success="Saved. It holds from the next call on."
          >
            <KeyCreditsInput autoFocus value={creditsPerMonth} />
          </ActionForm>
        </Modal.Body>
      </Dialog>
    </>
  );
}
