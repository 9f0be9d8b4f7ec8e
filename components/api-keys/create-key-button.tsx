"use client";

import { Button, Modal } from "@heroui/react";
import { CreatedKey, sayKeyUnseen } from "@/components/api-keys/created-key";
import { KeyCreditsInput } from "@/components/api-keys/key-credits-input";
import { KeyNetworksInput, readNetworks } from "@/components/api-keys/key-networks-input";
import { PERMISSION_WORDS } from "@/components/api-keys/permission-words";
import { ActionForm } from "@/components/ui/action-form";
import { CheckboxesInput, SelectInput } from "@/components/ui/choice-fields";
import { Dialog } from "@/components/ui/dialog";
import { TextInput } from "@/components/ui/fields";
import { readWholeNumber } from "@/components/ui/read-whole-number";
import { useShownOnce } from "@/components/ui/use-shown-once";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { CreateKeyInput } from "@/lib/contracts/api-keys";
import type { Permission } from "@/lib/domain/permissions";

interface CreatedKeyText {
  apiKey: string;
}

interface CreateKeyButtonProps {
  createKey: (input: CreateKeyInput) => Promise<ActionResult<CreatedKeyText>>;
  apiUrl: string;
}

const NO_KEY =
  "The server could not be reached. A key may have been made whose text nobody saw: look into the list behind this, revoke the key if it stands there, and create another.";

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
  const { dialog, made, isLocked, onCopied, onLost, ask, show } = useShownOnce<CreatedKeyText>(sayKeyUnseen);
  return (
    <>
      <Button onPress={ask} size="sm">
        Create key
      </Button>
      <Dialog isLocked={isLocked} state={dialog} title={made === undefined ? "Create an API key" : "Your new API key"}>
        {made === undefined ? (
          <Modal.Body>
            <ActionForm
              action={createKey}
              onCancel={dialog.close}
              onDone={show}
              onLost={onLost}
              read={readInput}
              submitLabel="Create key"
              unanswered={NO_KEY}
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
              <KeyCreditsInput value={null} />
              <KeyNetworksInput value={[]} />
            </ActionForm>
          </Modal.Body>
        ) : (
          <CreatedKey apiKey={made.apiKey} apiUrl={apiUrl} onClose={dialog.close} onCopied={onCopied} />
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
    creditsPerMonth: readWholeNumber(form, "creditsPerMonth"),
    allowedNetworks: readNetworks(form),
  };
}
