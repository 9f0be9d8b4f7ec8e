import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { formatNumber } from "@/components/ui/format-number";
import { NearLink } from "@/components/ui/near-link";
import { Section } from "@/components/ui/section";
import { WebhookStatus } from "@/components/webhooks/webhook-status";
import type { Webhook } from "@/lib/contracts/webhooks";

/** A receiver that did not get all it should have. */
export interface FailingWebhook extends Pick<Webhook, "id" | "url" | "status"> {
  /** Of the last 24 hours. */
  undelivered: number;
}

interface FailingWebhooksProps {
  webhooks: FailingWebhook[];
  /** Whether there are receivers at all. */
  hasWebhooks: boolean;
}

/** Receivers that want to be looked at. */
export function FailingWebhooks({ webhooks, hasWebhooks }: FailingWebhooksProps) {
  return (
    <Section
      action={
        <NearLink className="text-accent-text hover:underline" href="/panel/api-b2b/webhooks">
          All webhooks
        </NearLink>
      }
      title="Failing webhooks"
    >
      {webhooks.length === 0 ? (
        <p className="border-separator border-t py-3 text-muted">
          {hasWebhooks
            ? "None: every receiver is on, and nothing was lost in the last 24 hours."
            : "No webhooks yet. Add one, and your backend is told of answers as they happen."}
        </p>
      ) : (
        <ul className="border-separator border-t text-code">
          {webhooks.map(({ id, url, status, undelivered }) => (
            <li
              className="relative grid min-h-10 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-separator border-b px-2 py-1 hover:bg-surface-secondary"
              key={id}
            >
              <NearLink
                className="-outline-offset-2! truncate after:absolute after:inset-0"
                href={PANEL_ADDRESSES.webhook(id)}
                title={url}
              >
                {url.replace(/^https:\/\//, "")}
              </NearLink>
              <span className="text-right">
                {status === "active" ? null : <WebhookStatus status={status} />}
                {undelivered > 0 ? (
                  <span className="block text-muted">{formatNumber(undelivered)} not delivered in 24 h</span>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
