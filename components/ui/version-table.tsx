import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format-number";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";

export interface VersionLine {
  version: number;
  createdAt: string;
  /** How the text begins. */
  beginning: string;
}

interface VersionTableProps {
  versions: VersionLine[];
  /** The version that holds now. */
  current: number;
  /** Another that calls use, where one was chosen. */
  live?: number;
  selected?: number;
  hrefOf: (version: VersionLine) => string;
}

/** What a thing said over time, newest first; a row opens the comparison. */
export function VersionTable({ versions, current, live, selected, hrefOf }: VersionTableProps) {
  const isHeld = live !== undefined && live !== current;
  const columns: TableColumn<VersionLine>[] = [
    {
      id: "version",
      name: "Version",
      width: live === undefined ? "w-40" : "w-56",
      cell: ({ version }) => (
        <span className="inline-flex flex-wrap gap-x-3">
          <span className="font-medium tabular-nums">{formatNumber(version)}</span>
          {version === current ? <StatusDot status={isHeld ? "inactive" : "active"} word="current" /> : null}
          {version === live ? <StatusDot status="active" word="used by calls" /> : null}
        </span>
      ),
    },
    { id: "made", name: "Made", width: "w-36", cell: ({ createdAt }) => <TimeText at={createdAt} /> },
    {
      id: "beginning",
      name: "Text",
      cell: ({ beginning }) => (
        <bdi className="font-mono text-muted max-sm:line-clamp-2 max-sm:text-start">{beginning}</bdi>
      ),
    },
  ];
  return (
    <DataTable
      columns={columns}
      empty={<EmptyState text="There are no versions on this page of the list." title="None here" />}
      label="Versions"
      rowHref={hrefOf}
      rowKey={({ version }) => String(version)}
      rowName={({ version }) => `Version ${version}`}
      rows={versions}
      selectedKey={selected === undefined ? undefined : String(selected)}
    />
  );
}
