import { ActorWords } from "@/components/staff/audit-table";
import { CompanyLink } from "@/components/staff/company-link";
import { IdText } from "@/components/ui/id-text";
import { JsonViewer } from "@/components/ui/json-viewer";
import { KeyValues } from "@/components/ui/key-values";
import { TimeText } from "@/components/ui/time-text";
import type { StaffAuditEntry } from "@/lib/contracts/staff";

/** One line of the audit log with the state before and after. */
export function AuditFacts({ entry }: { entry: StaffAuditEntry }) {
  const { id, accountId, companyName, actorId, subject, reason, before, after, ip, createdAt } = entry;
  return (
    <div className="grid gap-5">
      <KeyValues
        items={[
          { name: "What", value: <span className="font-mono">{entry.action}</span> },
          { name: "When", value: <TimeText at={createdAt} kind="exact" /> },
          { name: "Who", value: <ActorWords entry={entry} isWhole /> },
          { name: "Person", value: actorId && <IdText id={actorId} label="the person's id" /> },
          { name: "From", value: ip && <span className="font-mono">{ip}</span> },
          { name: "Account", value: accountId && <CompanyLink accountId={accountId} companyName={companyName} /> },
          { name: "Of what", value: subject && <IdText id={subject} label="the id of what was changed" /> },
          { name: "Reason", value: reason && <bdi>{reason}</bdi> },
          { name: "Id", value: <IdText id={id} label="the line's id" /> },
        ]}
      />
      {before ? <JsonViewer label="the state before" title="Before" value={before} /> : null}
      {after ? <JsonViewer label="the state after" title="After" value={after} /> : null}
    </div>
  );
}
