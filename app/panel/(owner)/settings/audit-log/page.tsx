import type { Metadata } from "next";
import { readList } from "@/app/read-list";
import { AuditRecordView } from "@/components/audit/audit-record-view";
import { AUDIT_NOUNS, auditWords } from "@/components/audit/audit-words";
import { OwnAuditTable } from "@/components/audit/own-audit-table";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { cursorHrefs } from "@/components/ui/cursor-trail";
import { DownloadLink } from "@/components/ui/download-link";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import { type Filter, paramsOf } from "@/components/ui/filter-kinds";
import { NothingListed } from "@/components/ui/nothing-listed";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/pagination";
import { SidePanel } from "@/components/ui/side-panel";
import { type AuditRecord, ownAuditListQuery } from "@/lib/contracts/audit";
import { AppError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { getAuditRecord, listAudit } from "@/lib/services/audit/list-audit";
import { listMembers } from "@/lib/services/members/change-members";

export const metadata: Metadata = { title: "Audit log" };

const PATH = "/panel/settings/audit-log";

/** Settings / Audit log: who did what to what in the account, when and from where. */
export default orSayAway(async function AuditLogPage({ searchParams }: PageProps<"/panel/settings/audit-log">) {
  const [context, params] = await Promise.all([requirePanel("audit.view"), searchParams]);
  const [{ data, nextCursor, problem }, open, members] = await Promise.all([
    readList(ownAuditListQuery, params, (query) => listAudit(context.principal, query)),
    typeof params.line === "string" ? findRecord(context, params.line) : null,
    listMembers(context.account.id),
  ]);
  const filters = filtersFor(members);
  return (
    <>
      <PageHeader
        action={data.length > 0 ? <DownloadLink href={csvHref(filters, params)}>CSV</DownloadLink> : undefined}
        purpose="Who did what in this account, when and from where. Nobody can change a line."
        title="Audit log"
      />
      <FilterBar filters={filters} />
      <OwnAuditTable
        empty={
          <NothingListed filters={filters} params={params} problem={problem} title="No line is like that">
            <EmptyState text="What people change is listed here." title="No lines yet" />
          </NothingListed>
        }
        hrefOf={({ id }) => addressWith(PATH, params, { line: id })}
        records={data}
        selectedId={open?.id}
      />
      {data.length > 0 ? <PageLinks {...cursorHrefs(PATH, params, nextCursor)} summary="Newest first" /> : null}
      {open ? (
        <SidePanel closeHref={addressWith(PATH, params, { line: null })} title={auditWords(open.action)}>
          <AuditRecordView
            actorHref={(actorId) => addressWith(PATH, {}, { actorId })}
            record={open}
            subjectHref={(subject) => addressWith(PATH, {}, { subject })}
          />
        </SidePanel>
      ) : null}
    </>
  );
});

/** Of the whole list that the address filters. */
function csvHref(filters: Filter[], params: AddressParams): string {
  const chosen = Object.fromEntries(filters.flatMap(paramsOf).map((name) => [name, params[name]]));
  return addressWith(`${PATH}/audit-log.csv`, chosen, {});
}

function filtersFor(members: { userId: string; email: string }[]): Filter[] {
  return [
    { kind: "choice", param: "action", label: "What", choices: AUDIT_NOUNS },
    {
      kind: "choice",
      param: "actorId",
      label: "Who",
      choices: members.map(({ userId: id, email: name }) => ({ id, name })),
    },
    { kind: "text", param: "subject", label: "Of what", placeholder: "an id" },
    { kind: "dates", param: "from", toParam: "to", label: "When", hasTimes: true },
  ];
}

/** One that is not there is no reason to hide the list. */
async function findRecord({ principal }: PanelContext, id: string): Promise<AuditRecord | null> {
  if (!isId("audit", id)) return null;
  try {
    return await getAuditRecord(principal, id);
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
