"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
import { useState } from "react";
import { KeyCreditsInput } from "@/components/api-keys/key-credits-input";
import { KeyNetworksInput, readNetworks } from "@/components/api-keys/key-networks-input";
import { ActionForm } from "@/components/ui/action-form";
import { Dialog } from "@/components/ui/dialog";
import { readWholeNumber } from "@/components/ui/read-whole-number";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { ApiKeyRecord, LimitKeyInput } from "@/lib/contracts/api-keys";

interface LimitKeyButtonProps {
  apiKey: Pick<ApiKeyRecord, "id" | "name" | "creditsPerMonth" | "allowedNetworks" | "lastUsedIp">;
  limitKey: (input: LimitKeyInput) => Promise<ActionResult<null>>;
}

/** Asks what a key may use in a month, and from where. */
export function LimitKeyButton({ apiKey, limitKey }: LimitKeyButtonProps) {
  const dialog = useOverlayState();
  return (
    <>
      <Button onPress={dialog.open} size="sm" variant="outline">
        Limit
      </Button>
      <Dialog name={apiKey.name} state={dialog} title="Limit {name}">
        <Modal.Body>
          <LimitForm apiKey={apiKey} close={dialog.close} limitKey={limitKey} />
        </Modal.Body>
      </Dialog>
    </>
  );
}

function LimitForm({ apiKey, limitKey, close }: LimitKeyButtonProps & { close: () => void }) {
  // What its fields show, though the page behind it is drawn again.
  const [began] = useState(apiKey);
  return (
    <ActionForm
      action={limitKey}
      close={close}
      onCancel={close}
      read={(form) => readChanges(form, began)}
      submitLabel="Save"
      success="Saved. It holds from the next call on."
    >
      <KeyCreditsInput autoFocus value={began.creditsPerMonth} />
      <KeyNetworksInput lastUsedIp={began.lastUsedIp} value={began.allowedNetworks} />
    </ActionForm>
  );
}

/** What was not changed here stays as somebody else may have made it meanwhile. */
function readChanges(form: FormData, { id, ...before }: LimitKeyButtonProps["apiKey"]): LimitKeyInput {
  const creditsPerMonth = readWholeNumber(form, "creditsPerMonth");
  const allowedNetworks = readNetworks(form);
  return {
    keyId: id,
    ...(creditsPerMonth !== before.creditsPerMonth && { creditsPerMonth }),
    ...(allowedNetworks.join() !== before.allowedNetworks.join() && { allowedNetworks }),
    began: { creditsPerMonth: before.creditsPerMonth, allowedNetworks: before.allowedNetworks },
  };
}
