import type { ReactNode } from "react";
import { auditWords } from "@/components/audit/audit-words";
import { Clipped } from "@/components/staff/clipped";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { TimeText } from "@/components/ui/time-text";
import type { StaffAuditEntry } from "@/lib/contracts/staff";

interface AuditTableProps {
  entries: StaffAuditEntry[];
  /** Whose each line is, unless the page is about one account. */
  hasAccount?: boolean;
  hrefOf?: (entry: StaffAuditEntry) => string;
  selectedId?: string;
  empty: ReactNode;
}

const WHEN: TableColumn<StaffAuditEntry> = {
  id: "when",
  name: "When",
  cell: ({ createdAt }) => <TimeText at={createdAt} />,
};
const ACCOUNT: TableColumn<StaffAuditEntry> = {
  id: "account",
  name: "Account",
  cell: ({ accountId, companyName }) => {
    const text = companyName ?? accountId;
    return text === null ? <span className="text-muted">None</span> : <Clipped text={text} />;
  },
};
const REASON: TableColumn<StaffAuditEntry> = {
  id: "reason",
  name: "Reason",
  cell: ({ reason }) => (reason ? <Clipped text={reason} /> : null),
};
const OTHERS: TableColumn<StaffAuditEntry>[] = [
  {
    id: "action",
    name: "What",
    // Long words are cut where a table has many columns, and an account's page has nothing behind its lines.
    cell: ({ action }) => <span title={`${auditWords(action)} (${action})`}>{auditWords(action)}</span>,
  },
  { id: "who", name: "Who", cell: (entry) => <ActorWords entry={entry} />, isElastic: true },
];

const COLUMNS: TableColumn<StaffAuditEntry>[] = [WHEN, ACCOUNT, ...OTHERS, { ...REASON, from: "lg", isOnPhones: true }];
/** An account's page has nothing behind its lines: what is not in them would be nowhere. */
const COLUMNS_OF_ACCOUNT = [WHEN, ...OTHERS, REASON];

/** Lines of the audit log, newest first. */
export function AuditTable({ entries, hasAccount = true, hrefOf, selectedId, empty }: AuditTableProps) {
  return (
    <DataTable
      columns={hasAccount ? COLUMNS : COLUMNS_OF_ACCOUNT}
      empty={empty}
      label="Audit log"
      rowHref={hrefOf}
      rowKey={({ id }) => id}
      rowName={({ action, createdAt }) => `${auditWords(action)}, ${createdAt}`}
      rows={entries}
      selectedKey={selectedId}
    />
  );
}

interface ActorWordsProps {
  entry: StaffAuditEntry;
  /** Where there is room for a long address. */
  isWhole?: boolean;
}

/** Who did it: people by their address, the rest by what they are. */
export function ActorWords({ entry: { actorKind, actorEmail, actorId }, isWhole = false }: ActorWordsProps) {
  const name = actorEmail ?? actorId;
  const kind = KINDS[actorKind] ?? actorKind;
  if (name === null) return kind;
  return (
    <span className={isWhole ? undefined : "flex gap-x-1.5 max-sm:flex-wrap max-sm:justify-end"}>
      <bdi className={`[overflow-wrap:anywhere] ${isWhole ? "" : "sm:truncate"}`} title={name}>
        {name}
      </bdi>{" "}
      <span className="text-muted">{kind}</span>
    </span>
  );
}

/** Whoever acts for an account, in whatever role. */
const KINDS: Record<string, string> = { owner: "customer" };
