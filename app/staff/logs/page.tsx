import type { Metadata } from "next";
import { readList } from "@/app/read-list";
import { CallFacts } from "@/components/staff/call-facts";
import { CallTable } from "@/components/staff/call-table";
import { addressWith } from "@/components/ui/address";
import { cursorHrefs } from "@/components/ui/cursor-trail";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import type { Filter } from "@/components/ui/filter-kinds";
import { NothingListed } from "@/components/ui/nothing-listed";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/pagination";
import { SidePanel } from "@/components/ui/side-panel";
import { STATUS_CLASSES } from "@/lib/contracts/call-log";
import { type StaffCall, staffCallListQuery } from "@/lib/contracts/staff";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { listAllCalls } from "@/lib/services/staff/list-all-calls";

export const metadata: Metadata = { title: "Logs" };

const PATH = "/staff/logs";
const FILTERS: Filter[] = [
  { kind: "text", param: "accountId", label: "Account", placeholder: "acc_…" },
  { kind: "text", param: "endpoint", label: "Endpoint", placeholder: "POST /chat" },
  { kind: "choice", param: "status", label: "Status", choices: STATUS_CLASSES.map((id) => ({ id, name: id })) },
  { kind: "text", param: "requestId", label: "Request", placeholder: "req_…" },
  { kind: "text", param: "sessionId", label: "Session", placeholder: "ses_…" },
  { kind: "dates", param: "from", toParam: "to", label: "When", hasTimes: true },
];

/** Calls to the API of all accounts. */
export default orSayAway(async function StaffLogsPage({ searchParams }: PageProps<"/staff/logs">) {
  const [params] = await Promise.all([searchParams, requireStaff("staff.logs.view")]);
  const [{ data, nextCursor, problem }, open] = await Promise.all([
    readList(staffCallListQuery, params, listAllCalls),
    findCall(params.call),
  ]);
  return (
    <>
      <PageHeader purpose="Calls to the API, of all accounts: who, what, how long, and how it ended." title="Logs" />
      <FilterBar filters={FILTERS} />
      <CallTable
        calls={data}
        empty={
          <NothingListed filters={FILTERS} params={params} problem={problem} title="No call is like that">
            <EmptyState text="Calls with the keys of any account are listed here." title="No calls yet" />
          </NothingListed>
        }
        hrefOf={({ requestId }) => addressWith(PATH, params, { call: requestId })}
        selectedId={open?.id}
      />
      {data.length > 0 ? <PageLinks {...cursorHrefs(PATH, params, nextCursor)} summary="Newest first" /> : null}
      {open ? (
        <SidePanel
          closeHref={addressWith(PATH, params, { call: null })}
          title={<span className="font-mono">{open.endpoint}</span>}
        >
          <CallFacts call={open} />
        </SidePanel>
      ) : null}
    </>
  );
});

/** By its request id; null when there is no such call. */
async function findCall(requestId: string | string[] | undefined): Promise<StaffCall | null> {
  const query = staffCallListQuery.safeParse({ requestId, limit: 1 });
  if (!query.success || query.data.requestId === undefined) return null;
  const { data } = await listAllCalls(query.data);
  return data[0] ?? null;
}
