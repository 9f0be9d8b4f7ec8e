import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { PastEvents } from "@/app/panel/(owner)/api-b2b/webhooks/[id]/past-events";
import { WebhookSettings } from "@/app/panel/(owner)/api-b2b/webhooks/[id]/webhook-settings";
import { resendFailed, sendTest, switchOn } from "@/app/panel/(owner)/api-b2b/webhooks/actions";
import { DeliveryLog } from "@/app/panel/(owner)/api-b2b/webhooks/delivery-log";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format-number";
import { PageHeader } from "@/components/ui/page-header";
import { TabLinks } from "@/components/ui/tab-links";
import { TimeText } from "@/components/ui/time-text";
import { ActButton } from "@/components/webhooks/act-button";
import { SendTestButton } from "@/components/webhooks/send-test-button";
import { WebhookNotice } from "@/components/webhooks/webhook-notice";
import { WebhookStatus } from "@/components/webhooks/webhook-status";
import type { Webhook } from "@/lib/contracts/webhooks";
import type { BoundedCount } from "@/lib/domain/bounded-count";
import { AppError } from "@/lib/domain/errors";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { countUndelivered } from "@/lib/services/deliveries/count-deliveries";
import { getWebhook } from "@/lib/services/webhooks/get-webhook";
import { webhookOverlapEnd } from "@/lib/services/webhooks/secret-overlap";

const TABS = [
  { id: "deliveries", name: "Deliveries" },
  { id: "past", name: "Past events" },
  { id: "settings", name: "Settings" },
];

/** Looked up once for the page and its title. */
const findWebhook = cache(async (id: string) => {
  const context = await requirePanel("webhooks.view");
  const webhook = await getWebhook(context.principal, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return { context, webhook };
});

export const generateMetadata = orSayAway(
  async ({ params }: PageProps<"/panel/api-b2b/webhooks/[id]">): Promise<Metadata> => {
    const { webhook } = await findWebhook((await params).id);
    return { title: webhook.url };
  },
);

/** One receiver: what was sent to it, what can be sent to it besides, and how it is set. */
export default orSayAway(async function WebhookPage({
  params,
  searchParams,
}: PageProps<"/panel/api-b2b/webhooks/[id]">) {
  const [{ id }, query] = await Promise.all([params, searchParams]);
  const { context, webhook } = await findWebhook(id);
  const undelivered = await countUndelivered(context.principal, id);
  const path = PANEL_ADDRESSES.webhook(id);
  const tab = TABS.find((candidate) => candidate.id === query.tab)?.id ?? "deliveries";
  return (
    <>
      <PageHeader
        action={
          context.can("webhooks.test") ? <SendTestButton path={path} sendTest={sendTest} webhookId={id} /> : undefined
        }
        back={{ href: "/panel/api-b2b/webhooks", name: "Webhooks" }}
        purpose={<Standing webhook={webhook} />}
        title={webhook.url}
      />
      <Notice context={context} undelivered={undelivered} webhook={webhook} />
      <TabLinks current={tab} label="Parts of the webhook" params={{}} path={path} tabs={TABS} />
      {tab === "deliveries" ? (
        <DeliveryLog
          context={context}
          empty={
            <EmptyState
              text="Send a test event to see the request and your receiver's response. Real events follow by themselves."
              title="Nothing was sent yet"
            />
          }
          params={query}
          path={path}
          webhookId={id}
        />
      ) : null}
      {tab === "past" ? <PastEvents context={context} params={query} webhook={webhook} /> : null}
      {tab === "settings" ? (
        <WebhookSettings
          context={context}
          overlapEnd={await webhookOverlapEnd(context.principal, id)}
          webhook={webhook}
        />
      ) : null}
    </>
  );
});

function Standing({ webhook: { status, lastDeliveryAt } }: { webhook: Webhook }) {
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      <WebhookStatus status={status} />
      {lastDeliveryAt ? (
        <span>
          Last delivery <TimeText at={lastDeliveryAt} />
        </span>
      ) : (
        <span>Nothing was delivered yet</span>
      )}
    </span>
  );
}

interface NoticeProps {
  context: PanelContext;
  webhook: Webhook;
  undelivered: BoundedCount;
}

/** What keeps events from the receiver, with the next step for whoever may take it. */
function Notice({ context: { can }, webhook: { id, status }, undelivered }: NoticeProps) {
  const missed = missedWords(undelivered);
  if (status !== "active") {
    return (
      <WebhookNotice
        text={
          <>
            {status === "failed"
              ? "A delivery failed five times. Put the receiver right, then switch the webhook on again."
              : "It was switched off. Events of this time are not kept for it; those that go to other receivers can be sent here once it is on, under Past events."}{" "}
            {missed
              ? `${missed} so far; ${undelivered.count === 1 ? "it" : "they"} can be sent again afterwards.`
              : null}
          </>
        }
        title="Nothing is sent to this receiver"
      >
        {can("webhooks.reactivate") ? (
          <ActButton
            action={switchOn.bind(null, { webhookId: id })}
            label="Switch on"
            success="The webhook is on"
            variant="primary"
          />
        ) : null}
      </WebhookNotice>
    );
  }
  if (!missed) return null;
  return (
    <WebhookNotice
      text="They failed or were held back. Each goes out again with the bytes it had."
      title={`${missed}.`}
    >
      {can("deliveries.resend") ? (
        <ActButton
          action={resendFailed.bind(null, { webhookId: id })}
          label="Send all again"
          success="All are on their way again"
        />
      ) : null}
    </WebhookNotice>
  );
}

function missedWords({ count, hasMore }: BoundedCount): string | null {
  if (count === 0) return null;
  return count === 1
    ? "1 delivery did not arrive"
    : `${formatNumber(count)}${hasMore ? "+" : ""} deliveries did not arrive`;
}
