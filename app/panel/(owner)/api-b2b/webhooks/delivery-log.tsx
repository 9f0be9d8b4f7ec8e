import type { ReactNode } from "react";
import { resendOne, sendElsewhere } from "@/app/panel/(owner)/api-b2b/webhooks/actions";
import { readList } from "@/app/read-list";
import { DeliveryFacts } from "@/components/deliveries/delivery-facts";
import { DeliveryList } from "@/components/deliveries/delivery-list";
import { DELIVERY_STATUS_CHOICES } from "@/components/deliveries/delivery-status";
import { LiveRefresh } from "@/components/home/live-refresh";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { DownloadLink } from "@/components/ui/download-link";
import { FilterBar } from "@/components/ui/filter-bar";
import { type Filter, paramsOf } from "@/components/ui/filter-kinds";
import { NothingListed } from "@/components/ui/nothing-listed";
import { SidePanel } from "@/components/ui/side-panel";
import { ActButton } from "@/components/webhooks/act-button";
import { SendElsewhereButton } from "@/components/webhooks/send-elsewhere-button";
import {
  type DeliveryDetail,
  type DeliveryRecord,
  deliveryListQuery,
  type OtherReceiver,
} from "@/lib/contracts/deliveries";
import { AppError } from "@/lib/domain/errors";
import { WEBHOOK_EVENTS } from "@/lib/domain/webhook-events";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { getDelivery } from "@/lib/services/deliveries/get-delivery";
import { listDeliveries } from "@/lib/services/deliveries/list-deliveries";
import { listOtherReceivers } from "@/lib/services/deliveries/send-to-receiver";

interface DeliveryLogProps {
  context: PanelContext;
  path: string;
  /** Of the address; `delivery` among them is the one that is open. */
  params: AddressParams;
  /** Null: callbacks alone; absent: everything that the project sent. */
  webhookId?: string | null;
  /** Where there is none at all. */
  empty: ReactNode;
}

const FILTERS: Filter[] = [
  { kind: "choice", param: "status", label: "Status", choices: DELIVERY_STATUS_CHOICES },
  { kind: "choice", param: "event", label: "Event", choices: WEBHOOK_EVENTS.map((id) => ({ id, name: id })) },
  { kind: "text", param: "endUserId", label: "End user", placeholder: "customer-42" },
  { kind: "text", param: "sessionId", label: "Session", placeholder: "ses_…" },
  { kind: "dates", param: "from", toParam: "to", label: "When", hasTimes: true },
];
/** While something is about to happen somebody waits for it. */
const WAITING_REFRESH_MS = 1_500;
const SOON_MS = 10_000;
const REFRESH_MS = 8_000;

/** Deliveries with their filters, and the one that the address opens over them; goes on by itself. */
export const DeliveryLog = orSayAway(async function DeliveryLog({
  context,
  path,
  params,
  webhookId,
  empty,
}: DeliveryLogProps) {
  const ofWebhook = webhookId === undefined ? {} : { webhookId };
  const [{ data, nextCursor, problem }, open] = await Promise.all([
    readList(deliveryListQuery, params, ({ limit, cursor, ...filters }) =>
      listDeliveries(context.principal, { limit, cursor }, { ...filters, ...ofWebhook }),
    ),
    typeof params.delivery === "string" ? findDelivery(context, params.delivery) : null,
  ]);
  const mayResend = context.can("deliveries.resend");
  const isWaiting = [open, ...data].some((delivery) => delivery && isSoon(delivery));
  return (
    <>
      <LiveRefresh everyMs={isWaiting ? WAITING_REFRESH_MS : REFRESH_MS} />
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <FilterBar filters={FILTERS} />
        <DeliveryList
          action={
            context.can("deliveries.export") && data.length > 0 ? (
              <DownloadLink href={csvHref(params, webhookId)}>CSV</DownloadLink>
            ) : undefined
          }
          empty={
            <NothingListed filters={FILTERS} params={params} problem={problem} title="No delivery is like that">
              {empty}
            </NothingListed>
          }
          hasReceiver={webhookId === undefined || webhookId === null}
          // Other filters or another part: another list.
          key={addressWith("", params, { delivery: null })}
          nextCursor={nextCursor}
          params={params}
          path={path}
          rows={data}
          selectedId={open?.id}
        />
      </div>
      {open ? (
        <OpenDelivery
          closeHref={addressWith(path, params, { delivery: null })}
          delivery={open}
          mayResend={mayResend}
          others={mayResend ? await listOtherReceivers(context.principal, open.id) : []}
        />
      ) : null}
    </>
  );
});

interface OpenDeliveryProps {
  delivery: DeliveryDetail;
  mayResend: boolean;
  /** Whom its event can be sent to besides. */
  others: OtherReceiver[];
  closeHref: string;
}

function OpenDelivery({ delivery, mayResend, others, closeHref }: OpenDeliveryProps) {
  const { id, event, status, round } = delivery;
  return (
    <SidePanel
      action={
        mayResend && status !== "pending" ? (
          <ActButton
            action={resendOne.bind(null, { deliveryId: id, round })}
            label="Send again"
            success="On its way again"
          />
        ) : null
      }
      closeHref={closeHref}
      title={<span className="font-mono">{event}</span>}
    >
      <DeliveryFacts
        action={
          others.length > 0 ? (
            <SendElsewhereButton deliveryId={id} receivers={others} sendElsewhere={sendElsewhere} />
          ) : undefined
        }
        delivery={delivery}
      />
    </SidePanel>
  );
}

/** Whether an attempt is under way or near; the later ones of the schedule are hours apart. */
function isSoon({ status, nextAttemptAt }: DeliveryRecord): boolean {
  return status === "pending" && (nextAttemptAt === null || Date.parse(nextAttemptAt) < Date.now() + SOON_MS);
}

/** The whole list that the address filters. */
function csvHref(params: AddressParams, webhookId: string | null | undefined): string {
  const webhook = webhookId === undefined ? null : (webhookId ?? "none");
  const chosen = Object.fromEntries(FILTERS.flatMap(paramsOf).map((name) => [name, params[name]]));
  return addressWith("/panel/api-b2b/webhooks/deliveries.csv", chosen, { webhook });
}

/** One that is not there is no reason to hide the list. */
async function findDelivery({ principal }: PanelContext, id: string): Promise<DeliveryDetail | null> {
  try {
    return await getDelivery(principal, id);
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
