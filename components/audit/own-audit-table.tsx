import type { ReactNode } from "react";
import { actorName, auditWords } from "@/components/audit/audit-words";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { IdText } from "@/components/ui/id-text";
import { TimeText } from "@/components/ui/time-text";
import type { AuditRecord } from "@/lib/contracts/audit";

interface OwnAuditTableProps {
  records: AuditRecord[];
  hrefOf: (record: AuditRecord) => string;
  selectedId?: string;
  empty: ReactNode;
}

const COLUMNS: TableColumn<AuditRecord>[] = [
  { id: "when", name: "When", cell: ({ createdAt }) => <TimeText at={createdAt} />, width: "w-32" },
  { id: "what", name: "What", cell: ({ action }) => auditWords(action) },
  {
    id: "who",
    name: "Who",
    cell: ({ actor }) => (
      <bdi className="sm:max-w-[220px] sm:truncate" title={actorName(actor)}>
        {actorName(actor)}
      </bdi>
    ),
  },
  {
    id: "subject",
    name: "Of what",
    cell: ({ subject }) => (subject ? <IdText hasCopy={false} id={subject} label="the id" /> : null),
    from: "xl",
  },
  { id: "from", name: "From", cell: ({ ip }) => (ip ? <span className="font-mono">{ip}</span> : null), from: "lg" },
];

/** The account's audit log, newest first; a row opens what changed. */
export function OwnAuditTable({ records, hrefOf, selectedId, empty }: OwnAuditTableProps) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={empty}
      label="Audit log"
      rowHref={hrefOf}
      rowKey={({ id }) => id}
      rowName={({ action, createdAt }) => `${auditWords(action)}, ${createdAt}`}
      rows={records}
      selectedKey={selectedId}
    />
  );
}
