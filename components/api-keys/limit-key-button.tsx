"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
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
  const { name, creditsPerMonth, allowedNetworks, lastUsedIp } = apiKey;
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
            read={(form) => readChanges(form, apiKey)}
            submitLabel="Save"
            success="Saved. It holds from the next call on."
          >
            <KeyCreditsInput autoFocus value={creditsPerMonth} />
            <KeyNetworksInput lastUsedIp={lastUsedIp} value={allowedNetworks} />
          </ActionForm>
        </Modal.Body>
      </Dialog>
    </>
  );
}

/** What somebody else changed meanwhile stays, unless it was changed here too. */
function readChanges(form: FormData, { id, ...before }: LimitKeyButtonProps["apiKey"]): LimitKeyInput {
  const creditsPerMonth = readWholeNumber(form, "creditsPerMonth");
  const allowedNetworks = readNetworks(form);
  return {
    keyId: id,
    ...(creditsPerMonth !== before.creditsPerMonth && { creditsPerMonth }),
    ...(allowedNetworks.join() !== before.allowedNetworks.join() && { allowedNetworks }),
  };
}
