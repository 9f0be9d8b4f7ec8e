import { CompanyLink } from "@/components/staff/company-link";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { formatCredits, formatDuration } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { JsonViewer } from "@/components/ui/json-viewer";
import { KeyValues } from "@/components/ui/key-values";
import { StatusDot } from "@/components/ui/status-dot";
import { httpStatusTone } from "@/components/ui/status-tones";
import { TimeText } from "@/components/ui/time-text";
import type { StaffCall } from "@/lib/contracts/staff";

/** One call: names and sizes of what was sent, nothing of its content. */
export function CallFacts({ call }: { call: StaffCall }) {
  return (
    <div className="grid gap-5">
      <KeyValues
        items={[
          {
            name: "Account",
            value: <CompanyLink accountId={call.accountId} companyName={call.companyName} />,
          },
          {
            name: "Status",
            value: (
              <>
                <StatusDot status={String(call.status)} tone={httpStatusTone(call.status)} />{" "}
                <span className="font-mono text-muted">{call.errorCode}</span>
              </>
            ),
          },
          { name: "When", value: <TimeText at={call.createdAt} kind="exact" /> },
          { name: "Request", value: <IdText id={call.requestId} label="the request id" /> },
          { name: "Path", value: <span className="font-mono">{call.path}</span> },
          { name: "Time", value: formatDuration(call.durationMs) },
          { name: "Cost", value: formatCredits(call.credits) },
          { name: "From", value: call.ip && <span className="font-mono">{call.ip}</span> },
          { name: "Client", value: call.userAgent },
          { name: "Project", value: <IdText id={call.projectId} label="the project's id" /> },
          { name: "Key", value: call.apiKeyId && <IdText id={call.apiKeyId} label="the key's id" /> },
          {
            name: "Session",
            value: call.sessionId && (
              <IdText href={STAFF_ADDRESSES.session(call.sessionId)} id={call.sessionId} label="the session's id" />
            ),
          },
          { name: "End user", value: call.endUserId },
        ]}
      />
      {Object.keys(call.summary).length > 0 ? (
        <JsonViewer label="the summary of the call" title="Names and sizes" value={call.summary} />
      ) : null}
    </div>
  );
}
