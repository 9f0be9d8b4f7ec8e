import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { TimeText } from "@/components/ui/time-text";
import type { SessionDetail } from "@/lib/contracts/sessions";

interface SessionFactsProps {
  session: SessionDetail;
  /** Null when there is no template or it is not there any more. */
  templateName: string | null;
  addresses: Record<
    "template" | "endUser" | "sessionsOfReference" | "callsOfSession" | "deliveriesOfSession",
    (id: string) => string
  >;
}

/** What a session is, beside its conversation. */
export function SessionFacts({ session, templateName, addresses }: SessionFactsProps) {
  const { id, kind, endUserId, reference, templateId, callbackUrl, fileName, createdAt, completedAt, error } = session;
  return (
    <KeyValues
      items={[
        { name: "Id", value: <IdText id={id} label="the session id" /> },
        { name: "Kind", value: kind === "chat" ? "Chat" : "Processing" },
        { name: "File", value: fileName && <bdi>{fileName}</bdi> },
        {
          name: "End user",
          value: endUserId && (
            <a className="text-accent-text hover:underline" href={addresses.endUser(endUserId)}>
              {endUserId}
            </a>
          ),
        },
        {
          name: "Reference",
          value: reference && (
            <a className="text-accent-text hover:underline" href={addresses.sessionsOfReference(reference)}>
              <bdi className="whitespace-pre-wrap">{reference}</bdi>
            </a>
          ),
        },
        {
          name: "Template",
          value:
            templateId &&
            (templateName ? (
              <a className="text-accent-text hover:underline" href={addresses.template(templateId)}>
                <bdi>{templateName}</bdi>
              </a>
            ) : (
              <span className="text-muted">deleted</span>
            )),
        },
        { name: "Began", value: <TimeText at={createdAt} /> },
        { name: "Completed", value: completedAt && <TimeText at={completedAt} /> },
        { name: "Callback", value: callbackUrl && <span className="font-mono">{callbackUrl}</span> },
        { name: "Error", value: error && <span className="font-mono">{error.code}</span> },
        {
          name: "Logs",
          value: (
            <>
              <a className="text-accent-text hover:underline" href={addresses.callsOfSession(id)}>
                Calls
              </a>
              ,{" "}
              <a className="text-accent-text hover:underline" href={addresses.deliveriesOfSession(id)}>
                deliveries
              </a>
            </>
          ),
        },
      ]}
    />
  );
}
