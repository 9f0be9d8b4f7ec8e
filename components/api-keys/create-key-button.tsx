"use client";

import { Button, Modal, useOverlayState } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CreatedKey } from "@/components/api-keys/created-key";
import { PERMISSION_WORDS } from "@/components/api-keys/permission-words";
import { ActionForm } from "@/components/ui/action-form";
import { CheckboxesInput, SelectInput } from "@/components/ui/choice-fields";
import { Dialog } from "@/components/ui/dialog";
import { TextInput } from "@/components/ui/fields";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { CreateKeyInput } from "@/lib/contracts/api-keys";
import type { Permission } from "@/lib/domain/permissions";

interface CreateKeyButtonProps {
  createKey: (input: CreateKeyInput) => Promise<ActionResult<{ apiKey: string }>>;
  apiUrl: string;
}

const NEVER = "never";
const EXPIRIES = [
  { id: "30", name: "In 30 days" },
  { id: "90", name: "In 90 days" },
  { id: "365", name: "In a year" },
  { id: NEVER, name: "Never" },
];
const PERMISSION_CHOICES = Object.entries(PERMISSION_WORDS).map(([id, words]) => ({ id, ...words }));

/** Asks for a name, permissions and an end, then shows the new key once. */
export function CreateKeyButton({ createKey, apiUrl }: CreateKeyButtonProps) {
  const [apiKey, setApiKey] = useState<string>();
  const [isCopied, setIsCopied] = useState(false);
  const router = useRouter();
  const dialog = useOverlayState({
    onOpenChange: (isOpen) => {
      if (!isOpen && apiKey !== undefined) router.refresh();
    },
  });
  return (
    <>
      <Button
        onPress={() => {
          setApiKey(undefined);
          setIsCopied(false);
          dialog.open();
        }}
        size="sm"
      >
        Create key
      </Button>
      <Dialog
        isLocked={apiKey !== undefined && !isCopied}
        state={dialog}
        title={apiKey === undefined ? "Create an API key" : "Your new API key"}
      >
        {apiKey === undefined ? (
          <Modal.Body>
            <ActionForm
              action={createKey}
              onCancel={dialog.close}
              onDone={(created) => {
                setApiKey(created.apiKey);
                // Closed while it was made: it is shown this once, or never.
                dialog.open();
              }}
              read={readInput}
              submitLabel="Create key"
            >
              <TextInput
                autoFocus
                description="Where it is used, such as “Billing backend”."
                isRequired
                label="Name"
                maxLength={100}
                name="name"
              />
              <CheckboxesInput
                choices={PERMISSION_CHOICES}
                defaultValue={["process", "chat"]}
                description="Account, usage and webhook management are open to every key."
                label="Permissions"
                name="permissions"
              />
              <SelectInput choices={EXPIRIES} defaultValue="365" label="Expires" name="expires" />
            </ActionForm>
          </Modal.Body>
        ) : (
          <CreatedKey apiKey={apiKey} apiUrl={apiUrl} onClose={dialog.close} onCopied={() => setIsCopied(true)} />
        )}
      </Dialog>
    </>
  );
}

function readInput(form: FormData): CreateKeyInput {
  const expires = String(form.get("expires"));
  return {
    name: String(form.get("name") ?? ""),
    permissions: form.getAll("permissions") as Permission[],
    expiresInDays: expires === NEVER ? null : Number(expires),
  };
}
