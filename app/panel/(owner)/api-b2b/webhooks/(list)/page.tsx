import type { Metadata } from "next";
import Link from "next/link";
import { createWebhook, rotateCallbackSecret, showCallbackSecret } from "@/app/panel/(owner)/api-b2b/webhooks/actions";
import { DeliveryLog } from "@/app/panel/(owner)/api-b2b/webhooks/delivery-log";
import { LiveRefresh } from "@/components/home/live-refresh";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import type { AddressParams } from "@/components/ui/address";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pagination } from "@/components/ui/pagination";
import { Section } from "@/components/ui/section";
import { TabLinks } from "@/components/ui/tab-links";
import { TimeText } from "@/components/ui/time-text";
import { CreateWebhookButton } from "@/components/webhooks/create-webhook-button";
import { ReceiverCheck } from "@/components/webhooks/receiver-check";
import { SecretKeeper } from "@/components/webhooks/secret-keeper";
import { WebhookNotice } from "@/components/webhooks/webhook-notice";
import { WebhookTable } from "@/components/webhooks/webhook-table";
import { listAt } from "@/lib/panel/offset-of";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { countDeliveries } from "@/lib/services/deliveries/count-deliveries";
import { listWebhooks } from "@/lib/services/webhooks/list-webhooks";
import { callbackOverlapEnd } from "@/lib/services/webhooks/secret-overlap";

export const metadata: Metadata = { title: "Webhooks" };

const PATH = "/panel/api-b2b/webhooks";
const TABS = [
  { id: "webhooks", name: "Webhooks" },
  { id: "deliveries", name: "All deliveries" },
  { id: "callbacks", name: "Callbacks" },
];
const PAGE_SIZE = 50;
const ALERTS = { limit: 20, offset: 0 };

/** API B2B / Webhooks: who is told of what happens, and whether it arrived (§6). */
export default orSayAway(async function WebhooksPage({ searchParams }: PageProps<"/panel/api-b2b/webhooks">) {
  const [context, params] = await Promise.all([requirePanel("webhooks.view"), searchParams]);
  const tab = TABS.find(({ id }) => id === params.tab)?.id ?? "webhooks";
  return (
    <>
      <PageHeader
        action={context.can("webhooks.create") ? <CreateWebhookButton createWebhook={createWebhook} /> : undefined}
        purpose="Your backend is told of answers, errors and limits as they happen, signed and with retries."
        title="Webhooks"
      />
      <TabLinks current={tab} label="Parts of webhooks" params={{}} path={PATH} tabs={TABS} />
      {tab === "webhooks" ? <Webhooks context={context} params={params} /> : null}
      {tab === "deliveries" ? (
        <DeliveryLog
          context={context}
          empty={
            <EmptyState
              text="Every event for a webhook or a callbackUrl stands here with each attempt's request and response."
              title="Nothing was sent yet"
            />
          }
          params={params}
          path={PATH}
        />
      ) : null}
      {tab === "callbacks" ? <Callbacks context={context} params={params} /> : null}
    </>
  );
});

interface PartProps {
  context: PanelContext;
  params: AddressParams;
}

const Webhooks = orSayAway(async function Webhooks({ context, params }: PartProps) {
  const { principal, can } = context;
  const [webhooks, counts, alerts] = await Promise.all([
    listAt(params.offset, PAGE_SIZE, (part) => listWebhooks(principal, part)),
    countDeliveries(principal),
    listAlerts(principal, ALERTS),
  ]);
  const failures = alerts.data.filter(
    ({ kind, projectId }) => kind === "webhook.failed" && projectId === principal.projectId,
  );
  return (
    <>
      {webhooks.data.length > 0 ? <LiveRefresh /> : null}
      {failures.map(({ id, message, subjectId, createdAt }) => (
        <WebhookNotice key={id} text={message} title="A receiver failed, and nothing more is sent to it">
          {subjectId ? (
            <Link className="text-accent-text hover:underline" href={PANEL_ADDRESSES.webhook(subjectId)}>
              Look at it
            </Link>
          ) : null}
          <span className="text-code text-muted">
            <TimeText at={createdAt} />
          </span>
        </WebhookNotice>
      ))}
      <WebhookTable
        empty={
          <EmptyState
            text={
              can("webhooks.create")
                ? "Add the HTTPS address of your receiver, choose the events, and send it a test event to see both sides."
                : "Webhooks stand here once an owner or admin has added one."
            }
            title="No webhooks yet"
          >
            {can("webhooks.create") ? <CreateWebhookButton createWebhook={createWebhook} /> : null}
          </EmptyState>
        }
        webhooks={webhooks.data.map((webhook) => ({ ...webhook, lastDay: counts.get(webhook.id) }))}
      />
      {webhooks.pagination.total > PAGE_SIZE ? (
        <Pagination pagination={webhooks.pagination} params={params} path={PATH} />
      ) : null}
      <ReceiverCheck />
    </>
  );
});

const Callbacks = orSayAway(async function Callbacks({ context, params }: PartProps) {
  const maySee = context.can("webhooks.secret.show") && context.can("webhooks.secret.rotate");
  return (
    <div>
      <Section
        isFramed={maySee}
        text="A call may name a callbackUrl of its own: it gets the completion or error of that turn, with the same headers and retries, signed with this project's callback secret."
        title={maySee ? "Callback secret" : "Callbacks"}
      >
        {maySee ? (
          <SecretKeeper
            overlapEnd={await callbackOverlapEnd(context.principal)}
            rotateSecret={rotateCallbackSecret}
            showSecret={showCallbackSecret}
            target={{}}
          />
        ) : null}
      </Section>
      <Section title="Deliveries">
        <DeliveryLog
          context={context}
          empty={
            <EmptyState
              text="Send callbackUrl along with POST /chat, /process or /b2b/send; what went there is listed here."
              title="No callbacks yet"
            />
          }
          params={params}
          path={PATH}
          webhookId={null}
        />
      </Section>
    </div>
  );
});
