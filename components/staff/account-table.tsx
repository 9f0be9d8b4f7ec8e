import type { ReactNode } from "react";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { StaffAccount } from "@/lib/contracts/staff";
import type { PlanId } from "@/lib/domain/plans";

const columnsOf = (plans: AccountTableProps["plans"]): TableColumn<StaffAccount>[] => [
  {
    id: "company",
    name: "Company",
    cell: ({ companyName }) => (
      <bdi className="align-bottom font-medium sm:inline-block sm:max-w-full sm:truncate" title={companyName}>
        {companyName}
      </bdi>
    ),
  },
  { id: "verification", name: "Verification", cell: ({ verification }) => <StatusDot status={verification} /> },
  { id: "plan", name: "Plan", cell: ({ plan }) => plans[plan].name },
  {
    id: "credits",
    name: "Credits",
    cell: ({ credits }) => formatNumber(credits.balance),
    isNumeric: true,
  },
  {
    id: "used",
    name: "Last call",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeText at={lastUsedAt} /> : <span className="text-muted">Never</span>),
    from: "lg",
  },
  { id: "created", name: "Signed up", cell: ({ createdAt }) => <TimeText at={createdAt} />, from: "lg" },
  {
    id: "id",
    name: "Id",
    cell: ({ id, companyName }) => (
      <span className="[--id-width:21ch]">
        <IdText id={id} label={`the id of ${companyName}`} />
      </span>
    ),
    from: "xl",
  },
];

interface AccountTableProps {
  accounts: StaffAccount[];
  plans: Record<PlanId, { name: string }>;
  empty: ReactNode;
}

/** Accounts, the newest first. */
export function AccountTable({ accounts, plans, empty }: AccountTableProps) {
  return (
    <DataTable
      columns={columnsOf(plans)}
      empty={empty}
      label="Accounts"
      rowHref={({ id }) => STAFF_ADDRESSES.account(id)}
      rowKey={({ id }) => id}
      rowName={({ companyName }) => `Account ${companyName}`}
      rows={accounts}
    />
  );
}
