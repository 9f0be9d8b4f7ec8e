import type { Metadata } from "next";
import { readList } from "@/app/read-list";
import { resend } from "@/app/staff/deliveries/actions";
import { findOpen } from "@/app/staff/find-open";
import { DELIVERY_STATUS_CHOICES } from "@/components/deliveries/delivery-status";
import { ResendButton } from "@/components/staff/resend-button";
import { StaffDeliveryFacts } from "@/components/staff/staff-delivery-facts";
import { StaffDeliveryTable } from "@/components/staff/staff-delivery-table";
import { addressWith } from "@/components/ui/address";
import { cursorHrefs } from "@/components/ui/cursor-trail";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import type { Filter } from "@/components/ui/filter-kinds";
import { NothingListed } from "@/components/ui/nothing-listed";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/pagination";
import { SidePanel } from "@/components/ui/side-panel";
import { staffDeliveryListQuery } from "@/lib/contracts/staff";
import { WEBHOOK_EVENTS } from "@/lib/domain/webhook-events";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { getStaffDelivery } from "@/lib/services/staff/get-staff-delivery";
import { listAllDeliveries } from "@/lib/services/staff/list-all-deliveries";

export const metadata: Metadata = { title: "Deliveries" };

const PATH = "/staff/deliveries";
const choices = (ids: readonly string[]) => ids.map((id) => ({ id, name: id }));
const FILTERS: Filter[] = [
  { kind: "text", param: "accountId", label: "Account", placeholder: "acc_…" },
  { kind: "text", param: "id", label: "Id", placeholder: "dlv_… or X-Service-Delivery" },
  { kind: "choice", param: "status", label: "Status", choices: DELIVERY_STATUS_CHOICES },
  { kind: "choice", param: "event", label: "Event", choices: choices(WEBHOOK_EVENTS) },
  { kind: "text", param: "sessionId", label: "Session", placeholder: "ses_…" },
  { kind: "text", param: "webhookId", label: "Webhook", placeholder: "whk_…" },
  { kind: "dates", param: "from", toParam: "to", label: "When", hasTimes: true },
];

/** What was sent to receivers of all accounts, and whether it arrived (§6). */
export default orSayAway(async function StaffDeliveriesPage({ searchParams }: PageProps<"/staff/deliveries">) {
  const [params] = await Promise.all([searchParams, requireStaff("staff.deliveries.view")]);
  const [{ data, nextCursor, problem }, open] = await Promise.all([
    readList(staffDeliveryListQuery, params, listAllDeliveries),
    findOpen(params.delivery, getStaffDelivery),
  ]);
  return (
    <>
      <PageHeader
        purpose="Events sent to receivers of all accounts, and whether they arrived; without what they say."
        title="Deliveries"
      />
      <FilterBar filters={FILTERS} />
      <StaffDeliveryTable
        deliveries={data}
        empty={
          <NothingListed filters={FILTERS} params={params} problem={problem} title="No delivery is like that">
            <EmptyState
              text="What is sent to the receivers of any account is listed here, with each attempt."
              title="No deliveries yet"
            />
          </NothingListed>
        }
        hrefOf={({ id }) => addressWith(PATH, params, { delivery: id })}
        selectedId={open?.id}
      />
      {data.length > 0 ? <PageLinks {...cursorHrefs(PATH, params, nextCursor)} summary="Newest first" /> : null}
      {open ? (
        <SidePanel
          action={
            open.status === "pending" ? null : <ResendButton deliveryId={open.id} resend={resend} round={open.round} />
          }
          closeHref={addressWith(PATH, params, { delivery: null })}
          title={<span className="font-mono">{open.event}</span>}
        >
          <StaffDeliveryFacts delivery={open} />
        </SidePanel>
      ) : null}
    </>
  );
});
