import { actorName } from "@/components/audit/audit-words";
import { BEFORE_CAPITALS, Breakable } from "@/components/ui/breakable";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { TimeText } from "@/components/ui/time-text";
import type { AuditRecord } from "@/lib/contracts/audit";

interface AuditRecordViewProps {
  record: AuditRecord;
  /** The log with all that was done by this person, or to this thing. */
  actorHref: (actorId: string) => string;
  subjectHref: (subject: string) => string;
}

/** One line of the audit log: who, from where, and every changed field before and after. */
export function AuditRecordView({ record, actorHref, subjectHref }: AuditRecordViewProps) {
  const { id, action, actor, subject, reason, before, after, ip, createdAt } = record;
  return (
    <>
      <KeyValues
        items={[
          { name: "When", value: <TimeText at={createdAt} kind="exact" /> },
          { name: "Action", value: <span className="font-mono">{action}</span> },
          {
            name: "Who",
            value: actor.person ? (
              <a className="hover:underline" href={actorHref(actor.person.id)}>
                <bdi>{actorName(actor)}</bdi>
              </a>
            ) : (
              actorName(actor)
            ),
          },
          { name: "From", value: ip && <span className="font-mono">{ip}</span> },
          { name: "Of what", value: subject && <IdText href={subjectHref(subject)} id={subject} label="the id" /> },
          { name: "Reason", value: reason && <bdi className="whitespace-pre-wrap">{reason}</bdi> },
          { name: "Line", value: <IdText id={id} label="the line's id" /> },
        ]}
      />
      {before || after ? <Changes after={after ?? {}} before={before ?? {}} /> : null}
    </>
  );
}

type Fields = Record<string, unknown>;

function Changes({ before, after }: { before: Fields; after: Fields }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <table className="mt-6 w-full table-fixed border-separate border-spacing-0 text-code">
      <caption className="mb-2 text-left font-semibold text-base">What changed</caption>
      <thead>
        <tr className="text-left text-muted">
          {["Field", "Before", "After"].map((name) => (
            <th className="border-border border-b py-1.5 pr-4 font-medium not-first:pl-2" key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr className="align-top" key={name}>
            <th
              className="border-separator border-b py-1.5 pr-4 text-left font-normal text-muted [overflow-wrap:anywhere]"
              scope="row"
            >
              <Breakable at={BEFORE_CAPITALS} text={name} />
            </th>
            <td className="border-separator border-b bg-danger/5 px-2 py-1.5">
              <Value fields={before} name={name} />
            </td>
            <td className="border-separator border-b bg-success/5 px-2 py-1.5">
              <Value fields={after} name={name} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ fields, name }: { fields: Fields; name: string }) {
  if (!Object.hasOwn(fields, name)) return <span className="text-muted">–</span>;
  const value = fields[name];
  if (value === null) return <span className="text-muted">not set</span>;
  const isText = typeof value === "string";
  return (
    <bdi className="whitespace-pre-wrap font-mono [overflow-wrap:anywhere]" dir={isText ? undefined : "ltr"}>
      {isText ? value : JSON.stringify(value, null, 2)}
    </bdi>
  );
}
