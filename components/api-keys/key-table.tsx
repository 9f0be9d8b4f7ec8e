import type { ReactNode } from "react";
import { KeyStatus } from "@/components/api-keys/key-status";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { TimeText } from "@/components/ui/time-text";
import type { ApiKeyRecord } from "@/lib/contracts/api-keys";

interface KeyTableProps {
  keys: ApiKeyRecord[];
  hrefOf: (key: ApiKeyRecord) => string;
  selectedId?: string;
  empty: ReactNode;
}

const COLUMNS: TableColumn<ApiKeyRecord>[] = [
  {
    id: "name",
    name: "Name",
    cell: ({ name, hint }) => (
      <span className="flex gap-1.5 max-sm:justify-end">
        <bdi className="font-medium sm:max-w-[160px] sm:truncate xl:max-w-[200px]" title={name}>
          {name}
        </bdi>
        <span className="whitespace-nowrap font-mono text-muted">…{hint}</span>
      </span>
    ),
  },
  { id: "status", name: "Status", cell: (apiKey) => <KeyStatus apiKey={apiKey} /> },
  { id: "permissions", name: "Permissions", cell: ({ permissions }) => permissions.join(", "), from: "xl" },
  {
    id: "lastUsed",
    name: "Last used",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeText at={lastUsedAt} /> : <span className="text-muted">Never</span>),
  },
  { id: "created", name: "Created", cell: ({ createdAt }) => <TimeText at={createdAt} />, from: "xl" },
  {
    id: "expires",
    name: "Expires",
    cell: ({ expiresAt }) => (expiresAt ? <TimeText at={expiresAt} /> : <span className="text-muted">Never</span>),
  },
];

/** The project's keys; a row opens its detail. */
export function KeyTable({ keys, hrefOf, selectedId, empty }: KeyTableProps) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={empty}
      label="API keys"
      rowHref={hrefOf}
      rowKey={({ id }) => id}
      rowName={({ name }) => `Key ${name}`}
      rows={keys}
      selectedKey={selectedId}
    />
  );
}
