"use client";

import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { SelectInput } from "@/components/ui/choice-fields";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { useGoOn } from "@/components/ui/use-go-on";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { OtherReceiver } from "@/lib/contracts/deliveries";

interface Choice {
  deliveryId: string;
  webhookId: string;
}

interface SendElsewhereButtonProps {
  deliveryId: string;
  /** At least one. */
  receivers: OtherReceiver[];
  sendElsewhere: (input: Choice) => Promise<ActionResult<{ deliveryId: string }>>;
}

/** Sends the event of a delivery to a receiver that has not got it, and opens the delivery there. */
export function SendElsewhereButton({ deliveryId, receivers, sendElsewhere }: SendElsewhereButtonProps) {
  const goOn = useGoOn();
  const [first] = receivers;
  const send = async (choice: Choice) => {
    const result = await sendElsewhere(choice);
    return result.ok ? { ...result, data: { ...choice, ...result.data } } : result;
  };
  return (
    <ConfirmButton
      action={send}
      confirmLabel="Send"
      fields={{
        shown: (
          <SelectInput
            choices={receivers.map(({ id, url }) => ({ id, name: url }))}
            defaultValue={receivers.length === 1 ? first?.id : undefined}
            isRequired
            label="Webhook"
            name="webhookId"
            placeholder="Choose a webhook"
          />
        ),
        read: (form) => ({ deliveryId, webhookId: String(form.get("webhookId") ?? "") }),
      }}
      isDestructive={false}
      label="Send to another webhook"
      onDone={(sent) =>
        goOn(`${PANEL_ADDRESSES.webhook(sent.webhookId)}?delivery=${sent.deliveryId}`, "push", { scroll: false })
      }
      success="On its way there"
      text="It gets the same bytes in a delivery of its own, signed with its own secret. Listed are the webhooks that take such events and have not got this one."
      title="Send this event to another webhook?"
    />
  );
}
