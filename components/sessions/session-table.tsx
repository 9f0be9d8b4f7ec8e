import type { ReactNode } from "react";
import { FoundExcerpt } from "@/components/sessions/found-excerpt";
import { INPUT_COLUMN, STATUS_COLUMN, sessionRowName } from "@/components/sessions/session-columns";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { TimeText } from "@/components/ui/time-text";
import type { FoundWords, SessionSummary } from "@/lib/contracts/sessions";

/** A session with the name of its template, where that is still there, and what a search for words found in it. */
export interface ListedSession extends SessionSummary {
  templateName: string | null;
  found?: FoundWords;
}

interface SessionTableProps {
  sessions: ListedSession[];
  hrefOf: (session: ListedSession) => string;
  empty: ReactNode;
}

const COLUMNS: TableColumn<ListedSession>[] = [
  {
    ...INPUT_COLUMN,
    cell: (session) => (
      <>
        {INPUT_COLUMN.cell(session)}
        {session.found ? <FoundExcerpt found={session.found} /> : null}
      </>
    ),
  },
  { ...STATUS_COLUMN, isWhole: true },
  { id: "kind", name: "Kind", cell: ({ kind }) => kind, from: "lg" },
  {
    id: "endUser",
    name: "End user",
    cell: ({ endUserId }) =>
      endUserId && (
        <span className="block sm:max-w-[104px] sm:truncate 2xl:max-w-[160px]" title={endUserId}>
          {endUserId}
        </span>
      ),
  },
  {
    id: "reference",
    name: "Reference",
    cell: ({ reference }) =>
      reference && (
        <bdi className="block sm:max-w-[104px] sm:truncate 2xl:max-w-[160px]" title={reference}>
          {reference}
        </bdi>
      ),
    from: "xl",
    isOnPhones: true,
  },
  {
    id: "template",
    name: "Template",
    cell: ({ templateName, templateId }) => (
      <bdi className="block sm:max-w-[96px] sm:truncate 2xl:max-w-[160px]" title={templateName ?? undefined}>
        {templateName ?? (templateId ? <span className="text-muted">deleted</span> : null)}
      </bdi>
    ),
    from: "xl",
  },
  { id: "tokens", name: "Tokens", cell: ({ tokensUsed }) => formatNumber(tokensUsed), isNumeric: true, from: "lg" },
  { id: "credits", name: "Credits", cell: ({ creditsUsed }) => formatNumber(creditsUsed), isNumeric: true },
  {
    id: "id",
    name: "Id",
    cell: ({ id }) => (
      <span className="[--id-width:11ch]">
        <IdText hasCopy={false} id={id} label="the session id" />
      </span>
    ),
    from: "xl",
  },
  {
    id: "activity",
    name: "Last activity",
    cell: ({ lastActivityAt }) => <TimeText at={lastActivityAt} kind="moment" />,
  },
];

/** Nobody reads a column that is empty; whoever has references knows their sessions by them, and the page has room for no more. */
const COLUMNS_WITHOUT_REFERENCE = COLUMNS.filter(({ id }) => id !== "reference");
const COLUMNS_WITH_REFERENCE = COLUMNS.filter(({ id }) => id !== "kind" && id !== "id");

/** Beside what was found there is room for these. */
const COLUMNS_BESIDE_FOUND = new Set(["input", "status", "endUser", "activity"]);
const FOUND_COLUMNS = COLUMNS.filter(({ id }) => COLUMNS_BESIDE_FOUND.has(id));

/** Sessions, newest first; a row leads to its conversation. */
export function SessionTable({ sessions, hrefOf, empty }: SessionTableProps) {
  return (
    <DataTable
      columns={columnsOf(sessions)}
      empty={empty}
      label="Sessions"
      rowHref={hrefOf}
      rowKey={({ id }) => id}
      rowName={sessionRowName}
      rows={sessions}
    />
  );
}

function columnsOf(sessions: ListedSession[]): TableColumn<ListedSession>[] {
  if (sessions.some(({ found }) => found)) return FOUND_COLUMNS;
  return sessions.some(({ reference }) => reference) ? COLUMNS_WITH_REFERENCE : COLUMNS_WITHOUT_REFERENCE;
}
