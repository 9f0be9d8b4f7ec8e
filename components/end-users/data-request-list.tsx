import { DownloadLink } from "@/components/ui/download-link";
import { formatBytes, formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { DataRequest, DataRequestState } from "@/lib/contracts/end-users";

interface DataRequestListProps {
  requests: DataRequest[];
  /** Where the export of a receipt is fetched; absent where the reader may not. */
  downloadHref: ((id: string) => string) | undefined;
  /** Where an end user is shown; absent: all are of the one (end user, account) whose page it is. */
  hrefOf?: (endUserId: string) => string;
}

const KINDS = { export: "Export", erase: "Erasure" };
const STATES: Record<DataRequestState, string> = {
  queued: "waiting",
  running: "under way",
  completed: "done",
  failed: "failed: ask again",
};

/** What is counted, by its table. */
export const COUNTED: Record<string, string> = {
  sessions: "Sessions",
  turns: "Turns",
  messages: "Messages",
  session_events: "Events of sessions",
  call_logs: "Calls in the log",
  webhook_deliveries: "Deliveries",
  webhook_attempts: "Attempts of deliveries",
  files: "Files",
  stored_files: "Files",
  memory_profiles: "Memory profiles",
  memory_versions: "Versions of memory",
  ledger_entries: "Lines of the credit book",
  usage_days: "Days of usage",
  audit_log: "Lines of the audit log",
  idempotency_keys: "Answers kept for repeated calls",
  data_requests: "Exports",
  end_users: "Entries of end users",
  accounts: "The account itself",
  projects: "Projects",
  users: "People",
  members: "Memberships",
  invitations: "Invitations",
  verification_submissions: "Company data handed in",
  api_keys: "API keys, without the keys themselves",
  webhook_registrations: "Webhooks, without their secrets",
  templates: "Templates",
  template_versions: "Versions of templates",
  template_examples: "Examples of templates",
  knowledge_files: "Knowledge files",
  knowledge_file_versions: "Versions of knowledge files",
  account_periods: "Months of usage",
  account_requests: "Requests for more",
  usage_key_days: "Days of usage of keys",
  call_hours: "Hours of calls",
  alerts: "Alerts",
  alert_chats: "Chat of alerts, without its address",
  account_exports: "Exports of the account",
};

/** Receipts of exports and erasures: how they stand, what they covered, and where an export can be fetched. */
export function DataRequestList({ requests, downloadHref, hrefOf }: DataRequestListProps) {
  return (
    <ol className="divide-y divide-separator rounded-xl border border-border">
      {requests.map((request) => (
        <li className="px-4 py-3" key={request.id}>
          <Receipt downloadHref={downloadHref} hrefOf={hrefOf} request={request} />
        </li>
      ))}
    </ol>
  );
}

type ReceiptProps = Omit<DataRequestListProps, "requests"> & { request: DataRequest };

function Receipt({ request, downloadHref, hrefOf }: ReceiptProps) {
  const { id, kind, state, endUserId, createdAt, completedAt, counts, download } = request;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-code">
        <span className="font-medium">{KINDS[kind]}</span>
        <StatusDot status={state} word={STATES[state]} />
        {hrefOf ? (
          endUserId === null ? (
            <span className="text-muted">of somebody who is erased</span>
          ) : (
            <IdText hasCopy={false} href={hrefOf(endUserId)} id={endUserId} label="the end user's id" />
          )
        ) : null}
        <span className="text-muted">
          asked for <TimeText at={createdAt} />
          {completedAt ? (
            <>
              , ended <TimeText at={completedAt} kind="exact" />
            </>
          ) : null}
        </span>
        <span className="ml-auto flex min-w-0 max-sm:ml-0">
          <IdText id={id} label="the receipt's id" />
        </span>
      </div>
      {Object.keys(counts).length > 0 ? (
        <Counts counts={counts} verb={kind === "export" ? "Exported" : "Erased"} />
      ) : null}
      {download && downloadHref ? (
        <p className="mt-3 flex flex-wrap items-center gap-3">
          <DownloadLink href={downloadHref(id)}>{`Download (${formatBytes(download.sizeBytes)})`}</DownloadLink>
          <span className="text-code text-muted">
            until <TimeText at={download.expiresAt} kind="exact" />
          </span>
        </p>
      ) : null}
      {kind === "export" && state === "completed" && !download ? (
        <p className="mt-2 text-code text-muted">
          Its file is no longer kept: seven days are over, or a newer export or an erasure came.
        </p>
      ) : null}
    </>
  );
}

function Counts({ counts, verb }: { counts: Record<string, number>; verb: string }) {
  return (
    <dl aria-label={verb} className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(210px,1fr))] gap-x-6 text-code">
      {Object.entries(counts).map(([table, count]) => (
        <div className="flex justify-between gap-3 border-separator border-b py-1" key={table}>
          <dt className="text-muted">{COUNTED[table] ?? table.replaceAll("_", " ")}</dt>
          <dd className="tabular-nums">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
