import { extractionWords } from "@/components/sessions/extraction-words";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { DownloadLink } from "@/components/ui/download-link";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-number";
import type { SessionFile, SessionTurn } from "@/lib/contracts/sessions";

interface SessionFilesProps {
  turns: SessionTurn[];
  hrefOf: (fileId: string) => string;
}

interface FileRow {
  file: SessionFile;
  turnPosition: number;
  /** The figures of what was read of it; none while its turn is open, and of what the AI made. */
  receipt: Record<string, unknown> | undefined;
}

/** The files of the turns shown: sent or made, what was read of each, and what was not. */
export function SessionFiles({ turns, hrefOf }: SessionFilesProps) {
  const rows = turns.flatMap(({ files, position, context }): FileRow[] =>
    files.map((file) => ({
      file,
      turnPosition: position,
      receipt: context?.files.find(({ id }) => id === file.id),
    })),
  );
  return (
    <DataTable
      columns={[...COLUMNS, downloadColumn(hrefOf)]}
      empty={<EmptyState text="What calls send along and what the AI makes stands here." title="No files" />}
      label="Files"
      rowKey={({ file }) => file.id}
      rows={rows}
    />
  );
}

const COLUMNS: TableColumn<FileRow>[] = [
  {
    id: "name",
    name: "File",
    cell: ({ file: { name, contentType, purpose, size }, turnPosition }) => (
      <span className="block py-1 sm:min-w-40">
        <bdi className="block sm:truncate" title={`${name}\n${contentType}`}>
          {name}
        </bdi>
        <span className="block whitespace-normal text-muted">
          {`${formatBytes(size)}, ${purpose === "input" ? "sent with" : "made in"} turn ${turnPosition + 1}`}
        </span>
      </span>
    ),
  },
  { id: "read", name: "What was read", cell: ({ receipt }) => <Read receipt={receipt} />, isElastic: true },
];

function downloadColumn(hrefOf: (fileId: string) => string): TableColumn<FileRow> {
  return {
    id: "download",
    name: "Get it",
    cell: ({ file }) => <DownloadLink href={hrefOf(file.id)}>Download</DownloadLink>,
  };
}

function Read({ receipt }: Pick<FileRow, "receipt">) {
  if (!receipt) return null;
  const { read, leftOut, skipped } = extractionWords(receipt);
  return (
    <span className="block whitespace-normal py-1">
      {read}
      {leftOut ? <span className="block">Left out: {leftOut}</span> : null}
      {skipped ? <span className="block text-muted">Never read: {skipped}</span> : null}
    </span>
  );
}
