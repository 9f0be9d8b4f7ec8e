import type { Metadata } from "next";
import { DataRequestList } from "@/components/end-users/data-request-list";
import { EndUserTable } from "@/components/end-users/end-user-table";
import { LiveRefresh } from "@/components/home/live-refresh";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import type { AddressParams } from "@/components/ui/address";
import { CodeBlock } from "@/components/ui/code-block";
import { cursorHrefs, cursorOf } from "@/components/ui/cursor-trail";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import type { Filter } from "@/components/ui/filter-kinds";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/pagination";
import { TabLinks } from "@/components/ui/tab-links";
import { endUserListQuery } from "@/lib/contracts/end-user-forms";
import { fromStart } from "@/lib/panel/from-start";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { listDataRequests } from "@/lib/services/data-rights/list-data-requests";
import { listEndUsers } from "@/lib/services/end-users/list-end-users";

export const metadata: Metadata = { title: "End users" };

const PATH = "/panel/end-users";
const FILTERS: Filter[] = [{ kind: "text", param: "q", label: "Id begins with", placeholder: "customer-" }];
const EXAMPLE = `{ "message": "Where is my order?", "endUserId": "customer-42" }`;
const OPEN_REFRESH_MS = 2_000;

/** The project's end users, and the receipts of what was exported and erased of them. */
export default orSayAway(async function EndUsersPage({ searchParams }: PageProps<"/panel/end-users">) {
  const [context, params] = await Promise.all([requirePanel("end-users.view"), searchParams]);
  const isReceipts = params.tab === "receipts";
  return (
    <>
      <PageHeader
        purpose="Whom your calls speak for, by the ids that you choose: what they used, what is remembered of them."
        title="End users"
      />
      <TabLinks
        current={isReceipts ? "receipts" : "end-users"}
        label="End users and receipts"
        params={{}}
        path={PATH}
        tabs={[
          { id: "end-users", name: "End users" },
          { id: "receipts", name: "Exports and erasures" },
        ]}
      />
      {isReceipts ? (
        <Receipts context={context} params={params} />
      ) : (
        <>
          <FilterBar filters={FILTERS} />
          <EndUsers context={context} params={params} />
        </>
      )}
    </>
  );
});

interface PartProps {
  context: PanelContext;
  params: AddressParams;
}

const EndUsers = orSayAway(async function EndUsers({ context: { principal }, params }: PartProps) {
  const parsed = endUserListQuery.safeParse({ q: params.q || undefined, cursor: cursorOf(params) });
  const { q, limit, cursor } = parsed.success ? parsed.data : endUserListQuery.parse({});
  const { data, nextCursor } = await fromStart(cursor, (at) =>
    listEndUsers(principal, { limit, search: q, cursor: at }),
  );
  return (
    <>
      <EndUserTable
        empty={
          q === undefined && cursor === undefined ? (
            <EmptyState
              text="Name the person a call is for, by any id of yours. From then on their sessions, usage and memory stand here, apart from everybody else's."
              title="No end users yet"
            >
              <div className="w-full max-w-[520px] text-left">
                <CodeBlock code={EXAMPLE} label="the example" language="json" title="POST /api/v1/chat" />
              </div>
            </EmptyState>
          ) : (
            <EmptyState text="Try fewer letters; capitals count." title="No end user begins so" />
          )
        }
        endUsers={data}
        hrefOf={PANEL_ADDRESSES.endUser}
      />
      {data.length > 0 ? (
        <PageLinks
          {...cursorHrefs(PATH, params, nextCursor)}
          summary={q === undefined ? "Last seen first" : "In order of their ids"}
        />
      ) : null}
    </>
  );
});

const Receipts = orSayAway(async function Receipts({ context: { principal, can }, params }: PartProps) {
  const { limit } = endUserListQuery.parse({});
  const { data, nextCursor } = await fromStart(cursorOf(params), (cursor) =>
    listDataRequests(principal, { limit, cursor }),
  );
  if (data.length === 0) {
    return (
      <EmptyState
        text="Open an end user to have everything that is kept of them exported or erased. The receipts stand here."
        title="Nothing exported or erased yet"
      />
    );
  }
  return (
    <>
      {data.some(({ state }) => state === "queued" || state === "running") ? (
        <LiveRefresh everyMs={OPEN_REFRESH_MS} />
      ) : null}
      <DataRequestList
        downloadHref={can("end-users.export") ? PANEL_ADDRESSES.endUserExport : undefined}
        hrefOf={PANEL_ADDRESSES.endUser}
        requests={data}
      />
      <PageLinks {...cursorHrefs(PATH, params, nextCursor)} summary="Newest first" />
    </>
  );
});
