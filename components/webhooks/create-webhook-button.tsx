"use client";

import { Button, Modal } from "@heroui/react";
import { useRouter } from "next/navigation";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { ActionForm } from "@/components/ui/action-form";
import { CopySecret } from "@/components/ui/copy-secret";
import { Dialog } from "@/components/ui/dialog";
import { DialogButtons } from "@/components/ui/dialog-frame";
import { showSuccess } from "@/components/ui/toasts";
import { useOnce } from "@/components/ui/use-once";
import { useShownOnce } from "@/components/ui/use-shown-once";
import { readWebhookFields, WebhookFields } from "@/components/webhooks/webhook-fields";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { CreateWebhookInput } from "@/lib/contracts/webhooks";

interface CreatedWebhook {
  id: string;
  secret: string;
}

interface CreateWebhookButtonProps {
  createWebhook: (input: CreateWebhookInput) => Promise<ActionResult<CreatedWebhook>>;
}

/** Asks for an address and events, then shows the secret that signs what is sent there. */
export function CreateWebhookButton({ createWebhook }: CreateWebhookButtonProps) {
  const { dialog, made: created, onLost, ask, show } = useShownOnce<CreatedWebhook>(sayUnseen);
  const createOnce = useOnce(createWebhook);
  return (
    <>
      <Button onPress={ask} size="sm">
        Add webhook
      </Button>
      <Dialog state={dialog} title={created ? "The webhook is on" : "Add a webhook"}>
        {created ? (
          <CreatedSecret close={dialog.close} webhook={created} />
        ) : (
          <Modal.Body>
            <ActionForm
              action={createOnce}
              onCancel={dialog.close}
              onDone={show}
              onLost={onLost}
              read={readWebhookFields}
              submitLabel="Add webhook"
            >
              <WebhookFields autoFocus events={["completion", "error"]} />
            </ActionForm>
          </Modal.Body>
        )}
      </Dialog>
    </>
  );
}

function sayUnseen() {
  showSuccess("Webhook added", "Its settings show the secret that signs what is sent there.");
}

/** The secret of a new webhook, and the way to try it out. */
function CreatedSecret({ webhook: { id, secret }, close }: { webhook: CreatedWebhook; close: () => void }) {
  const router = useRouter();
  return (
    <>
      <Modal.Body className="grid gap-4">
        <p className="text-pretty text-muted">
          Every delivery is signed with this secret. Your receiver checks the signature with it before it believes what
          arrives.
        </p>
        <CopySecret
          label="the signing secret"
          secret={secret}
          warning="Keep it where your backend keeps its secrets. Owners and admins can show it again in the settings of this webhook."
        />
      </Modal.Body>
      <DialogButtons>
        <Button onPress={close} size="sm" variant="outline">
          Close
        </Button>
        <Button
          onPress={() => {
            close();
            router.push(PANEL_ADDRESSES.webhook(id));
          }}
          size="sm"
        >
          Try it out
        </Button>
      </DialogButtons>
    </>
  );
}
