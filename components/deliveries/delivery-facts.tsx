import type { ReactNode } from "react";
import { AttemptView } from "@/components/deliveries/attempt-view";
import { DeliveryStatus } from "@/components/deliveries/delivery-status";
import { ExactText } from "@/components/deliveries/exact-text";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { IdText } from "@/components/ui/id-text";
import { JsonViewer } from "@/components/ui/json-viewer";
import { KeyValues } from "@/components/ui/key-values";
import { Section } from "@/components/ui/section";
import { TimeText } from "@/components/ui/time-text";
import type { DeliveryDetail } from "@/lib/contracts/deliveries";

interface DeliveryFactsProps {
  delivery: DeliveryDetail;
  /** What can be done with its event besides; stands under the facts. */
  action?: ReactNode;
}

/** All that is known of a delivery: what was to be sent, and each attempt at it. */
export function DeliveryFacts({ delivery, action }: DeliveryFactsProps) {
  const { id, deliveryUuid, webhookId, url, sessionId, requestId, endUserId } = delivery;
  const { createdAt, deliveredAt, attempts } = delivery;
  return (
    <>
      <KeyValues
        items={[
          { name: "Status", value: <StatusLine delivery={delivery} /> },
          { name: "Receiver", value: <span className="font-mono">{url}</span> },
          { name: "Id", value: <IdText id={id} label="the delivery's id" /> },
          { name: "X-Service-Delivery", value: <IdText id={deliveryUuid} label="X-Service-Delivery" /> },
          {
            name: "Webhook",
            value: webhookId ? (
              <IdText href={PANEL_ADDRESSES.webhook(webhookId)} id={webhookId} label="the webhook's id" />
            ) : (
              "The callbackUrl of a call"
            ),
          },
          {
            name: "Session",
            value: sessionId && (
              <IdText href={PANEL_ADDRESSES.session(sessionId)} id={sessionId} label="the session's id" />
            ),
          },
          {
            name: "Call",
            value: requestId && <IdText href={PANEL_ADDRESSES.call(requestId)} id={requestId} label="the request id" />,
          },
          {
            name: "End user",
            value: endUserId && (
              <a
                className="text-accent-text hover:underline [overflow-wrap:anywhere]"
                href={PANEL_ADDRESSES.endUser(endUserId)}
              >
                <bdi>{endUserId}</bdi>
              </a>
            ),
          },
          { name: "Created", value: <TimeText at={createdAt} kind="exact" /> },
          { name: "Delivered", value: deliveredAt && <TimeText at={deliveredAt} kind="exact" /> },
        ]}
      />
      {action ? <div className="mt-4">{action}</div> : null}
      <Section text="Newest first. Each sends the same bytes." title="Attempts">
        {attempts.length === 0 ? (
          <p className="text-muted">None yet.</p>
        ) : (
          <div className="grid gap-2">
            {attempts.toReversed().map((attempt, index) => (
              <AttemptView attempt={attempt} isOpenAtFirst={index === 0} key={`${attempt.round}-${attempt.number}`} />
            ))}
          </div>
        )}
      </Section>
      <Section title="Body">
        <div className="grid gap-3">
          <JsonViewer label="the event" title="The event" value={parseBody(delivery.body)} />
          <ExactText text={delivery.body} title="Request body as it is signed" />
        </div>
      </Section>
    </>
  );
}

function StatusLine({ delivery: { status, nextAttemptAt } }: { delivery: DeliveryDetail }) {
  return (
    <>
      <DeliveryStatus status={status} />
      {status === "pending" && nextAttemptAt ? (
        <span className="text-muted">
          , next attempt <TimeText at={nextAttemptAt} />
        </span>
      ) : null}
      {status === "held" ? <span className="text-muted">: the webhook was off when it was due</span> : null}
    </>
  );
}

/** Made by the service, so it is JSON; an old one that is not is shown as text. */
function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
