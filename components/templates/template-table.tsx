import type { ReactNode } from "react";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatNumber } from "@/components/ui/format-number";
import { TimeText } from "@/components/ui/time-text";
import type { Template } from "@/lib/contracts/template-records";
import type { TemplateUse } from "@/lib/contracts/template-use";

export interface TemplateLine extends Template, Pick<TemplateUse, "lastUsedAt"> {
  /** Names of the placeholders, in the order of the text. */
  placeholders: string[];
}

interface TemplateTableProps {
  templates: TemplateLine[];
  hrefOf: (template: TemplateLine) => string;
  empty: ReactNode;
}

const NONE = <span className="text-muted">–</span>;

const COLUMNS: TableColumn<TemplateLine>[] = [
  {
    id: "name",
    name: "Name",
    cell: ({ name, slug }) => (
      <span className="flex gap-1.5 max-sm:flex-col max-sm:items-end">
        <bdi className="font-medium sm:truncate" title={name}>
          {name}
        </bdi>
        <span className="font-mono text-muted sm:max-w-[15cqw] sm:shrink-0 sm:truncate" title={slug}>
          {slug}
        </span>
      </span>
    ),
  },
  { id: "tags", name: "Tags", cell: ({ tags }) => (tags.length > 0 ? <Tags tags={tags} /> : NONE), from: "lg" },
  {
    id: "variables",
    name: "Variables",
    cell: ({ placeholders }) =>
      placeholders.length > 0 ? <span className="font-mono">{placeholders.join(", ")}</span> : NONE,
    from: "xl",
  },
  {
    id: "version",
    name: "Version",
    cell: ({ version, liveVersion }) =>
      liveVersion === undefined || liveVersion === version
        ? formatNumber(version)
        : `${formatNumber(version)}, calls use ${formatNumber(liveVersion)}`,
    isNumeric: true,
  },
  { id: "used", name: "Calls", cell: ({ usageCount }) => formatNumber(usageCount), isNumeric: true },
  {
    id: "lastUsed",
    name: "Last used",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeText at={lastUsedAt} /> : <span className="text-muted">Never</span>),
  },
  { id: "updated", name: "Changed", cell: ({ updatedAt }) => <TimeText at={updatedAt} />, from: "xl" },
];

/** Each is read in its own direction, and the first ones are those that are seen. */
function Tags({ tags }: Pick<Template, "tags">) {
  const words = tags.join(", ");
  return (
    <bdi className="block truncate" title={words}>
      {words}
    </bdi>
  );
}

/** The project's templates; a row opens its editor. */
export function TemplateTable({ templates, hrefOf, empty }: TemplateTableProps) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={empty}
      label="Templates"
      rowHref={hrefOf}
      rowKey={({ id }) => id}
      rowName={({ name }) => `Template ${name}`}
      rows={templates}
    />
  );
}
