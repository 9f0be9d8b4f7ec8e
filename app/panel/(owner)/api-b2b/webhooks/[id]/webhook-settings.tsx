import {
  deleteWebhook,
  rotateSecret,
  saveWebhook,
  showSecret,
  switchOff,
  switchOn,
} from "@/app/panel/(owner)/api-b2b/webhooks/actions";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { Section } from "@/components/ui/section";
import { TimeText } from "@/components/ui/time-text";
import { ActButton } from "@/components/webhooks/act-button";
import { DeleteWebhookButton } from "@/components/webhooks/delete-webhook-button";
import { SecretKeeper } from "@/components/webhooks/secret-keeper";
import { WebhookSettingsForm } from "@/components/webhooks/webhook-settings-form";
import type { Webhook } from "@/lib/contracts/webhooks";
import type { PanelContext } from "@/lib/panel/panel-context";

interface WebhookSettingsProps {
  context: PanelContext;
  webhook: Webhook;
  /** As of `SecretKeeper`. */
  overlapEnd: string | null;
}

/** How a receiver is set; readers without the right see the facts alone. */
export function WebhookSettings({ context: { can }, webhook, overlapEnd }: WebhookSettingsProps) {
  const { id, url, status } = webhook;
  const target = { webhookId: id };
  return (
    <div>
      <Section isFramed title="Receiver">
        {can("webhooks.update") ? (
          <div className="max-w-[560px]">
            <WebhookSettingsForm saveWebhook={saveWebhook} webhook={webhook} />
          </div>
        ) : (
          <Facts webhook={webhook} />
        )}
      </Section>
      {can("webhooks.secret.show") && can("webhooks.secret.rotate") ? (
        <Section
          isFramed
          text="Signs every delivery to this receiver. Showing and rotating it ask for your password again."
          title="Signing secret"
        >
          <SecretKeeper
            overlapEnd={overlapEnd}
            rotateSecret={rotateSecret}
            showSecret={showSecret.bind(null, target)}
            target={target}
          />
        </Section>
      ) : null}
      {can("webhooks.update") && can("webhooks.delete") ? (
        <Section
          isFramed
          text="What happens while you have it switched off is not kept for it. What goes to other receivers meanwhile can be sent here later, under Past events."
          title="Switch off or delete"
        >
          <div className="flex flex-wrap gap-2">
            {status === "active" ? (
              <ConfirmButton
                action={switchOff.bind(null, target)}
                confirmLabel="Switch off"
                isDestructive={false}
                label="Switch off"
                success="The webhook is off"
                text="Nothing more is sent to it, retries included, until somebody switches it on."
                title="Switch this webhook off?"
              />
            ) : (
              <ActButton action={switchOn.bind(null, target)} label="Switch on" success="The webhook is on" />
            )}
            <DeleteWebhookButton deleteWebhook={deleteWebhook.bind(null, target)} url={url} />
          </div>
        </Section>
      ) : null}
    </div>
  );
}

function Facts({ webhook: { id, url, events, createdAt } }: { webhook: Webhook }) {
  return (
    <KeyValues
      items={[
        { name: "Id", value: <IdText id={id} label="the webhook's id" /> },
        { name: "Address", value: <span className="font-mono">{url}</span> },
        { name: "Events", value: <span className="font-mono">{events.join(", ")}</span> },
        { name: "Added", value: <TimeText at={createdAt} kind="exact" /> },
      ]}
    />
  );
}
