import type { Metadata } from "next";
import { readList } from "@/app/read-list";
import { findOpen } from "@/app/staff/find-open";
import { auditWords } from "@/components/audit/audit-words";
import { AuditFacts } from "@/components/staff/audit-facts";
import { AuditTable } from "@/components/staff/audit-table";
import { addressWith } from "@/components/ui/address";
import { cursorHrefs } from "@/components/ui/cursor-trail";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import type { Filter } from "@/components/ui/filter-kinds";
import { NothingListed } from "@/components/ui/nothing-listed";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/pagination";
import { SidePanel } from "@/components/ui/side-panel";
import { auditListQuery } from "@/lib/contracts/staff";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { getAuditEntry } from "@/lib/services/staff/get-audit-entry";
import { listAllAuditEntries } from "@/lib/services/staff/list-all-audit-entries";

export const metadata: Metadata = { title: "Audit log" };

const PATH = "/staff/audit-log";
const FILTERS: Filter[] = [
  { kind: "text", param: "action", label: "What", placeholder: "account.suspend, or account" },
  { kind: "text", param: "accountId", label: "Account", placeholder: "acc_…" },
  { kind: "text", param: "actorId", label: "Person", placeholder: "usr_…" },
  { kind: "text", param: "subject", label: "Of what", placeholder: "Any id" },
  { kind: "dates", param: "from", toParam: "to", label: "When", hasTimes: true },
];

/** Who changed what in all accounts, with the state before and after. Nothing in it can be changed. */
export default orSayAway(async function AuditLogPage({ searchParams }: PageProps<"/staff/audit-log">) {
  const [params] = await Promise.all([searchParams, requireStaff("staff.audit.view")]);
  const [{ data, nextCursor, problem }, open] = await Promise.all([
    readList(auditListQuery, params, listAllAuditEntries),
    findOpen(params.entry, getAuditEntry),
  ]);
  return (
    <>
      <PageHeader
        purpose="Who changed what, in all accounts and outside of them. Lines are added and never changed."
        title="Audit log"
      />
      <FilterBar filters={FILTERS} />
      <AuditTable
        empty={
          <NothingListed filters={FILTERS} params={params} problem={problem} title="No line is like that">
            <EmptyState text="What people change is listed here." title="No lines yet" />
          </NothingListed>
        }
        entries={data}
        hrefOf={({ id }) => addressWith(PATH, params, { entry: id })}
        selectedId={open?.id}
      />
      {data.length > 0 ? <PageLinks {...cursorHrefs(PATH, params, nextCursor)} summary="Newest first" /> : null}
      {open ? (
        <SidePanel closeHref={addressWith(PATH, params, { entry: null })} title={auditWords(open.action)}>
          <AuditFacts entry={open} />
        </SidePanel>
      ) : null}
    </>
  );
});
