import type { ReactNode } from "react";
import { Clipped } from "@/components/staff/clipped";
import { DueText } from "@/components/staff/due-text";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { VerificationQueueItem } from "@/lib/contracts/verification";

const COMPANY: TableColumn<VerificationQueueItem> = {
  id: "company",
  name: "Company",
  cell: ({ companyName, company }) => (
    <span className="sm:inline-flex sm:max-w-full sm:align-bottom">
      <bdi className="min-w-0 font-medium sm:truncate" title={companyName}>
        {companyName}
      </bdi>
      {company.country ? <span className="ml-2 shrink-0 text-muted">{company.country}</span> : null}
    </span>
  ),
};

const DUE: TableColumn<VerificationQueueItem> = {
  id: "due",
  name: "Due",
  cell: ({ dueAt, isOverdue }) => <DueText dueAt={dueAt} isOverdue={isOverdue} />,
};

const DECIDED: TableColumn<VerificationQueueItem> = {
  id: "decided",
  name: "Decided",
  cell: ({ status, decidedAt }) => (
    <>
      <StatusDot status={status} /> {decidedAt ? <TimeText at={decidedAt} /> : null}
    </>
  ),
};

const OTHERS: TableColumn<VerificationQueueItem>[] = [
  { id: "submitted", name: "Handed in", cell: ({ submittedAt }) => <TimeText at={submittedAt} /> },
  {
    id: "by",
    name: "By",
    cell: ({ submittedBy }) => <Clipped text={submittedBy ?? "Somebody who is gone"} />,
    from: "lg",
  },
  { id: "round", name: "Round", cell: ({ round }) => round, isNumeric: true, from: "lg" },
];

interface VerificationTableProps {
  items: VerificationQueueItem[];
  /** Whether these wait for a decision. */
  isQueue: boolean;
  empty: ReactNode;
}

/** Submissions by the time they are due, the most urgent first. */
export function VerificationTable({ items, isQueue, empty }: VerificationTableProps) {
  return (
    <DataTable
      columns={[COMPANY, isQueue ? DUE : DECIDED, ...OTHERS]}
      empty={empty}
      label="Verifications"
      rowHref={({ accountId }) => STAFF_ADDRESSES.verification(accountId)}
      rowKey={({ id }) => id}
      rowName={({ companyName }) => `Verification of ${companyName}`}
      rows={items}
    />
  );
}
