import { KeyStatus } from "@/components/api-keys/key-status";
import { PERMISSION_WORDS } from "@/components/api-keys/permission-words";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { monthCredits } from "@/components/ui/month-credits";
import { TimeText } from "@/components/ui/time-text";
import type { ApiKeyRecord } from "@/lib/contracts/api-keys";

interface KeyFactsProps {
  apiKey: ApiKeyRecord;
  hrefOf: (keyId: string) => string;
  /** Where its calls are listed. */
  logsHref: string;
  /** Credits of this month (UTC), with what running work was promised. */
  creditsThisMonth: number;
}

/** All that is known of a key but the key. */
export function KeyFacts({ apiKey, hrefOf, logsHref, creditsThisMonth }: KeyFactsProps) {
  const { id, hint, createdAt, createdBy, ageDays } = apiKey;
  const { expiresAt, revokedAt, replacedById, replacesId } = apiKey;
  return (
    <KeyValues
      items={[
        { name: "Id", value: <IdText id={id} label="the key's id" /> },
        { name: "Key", value: <span className="font-mono">…{hint}</span> },
        { name: "Status", value: <KeyStatus apiKey={apiKey} /> },
        { name: "Permissions", value: <PermissionList permissions={apiKey.permissions} /> },
        {
          name: "Created",
          value: (
            <>
              <TimeText at={createdAt} kind="exact" /> <span className="text-muted">by {creatorOf(createdBy)}</span>
            </>
          ),
        },
        { name: "Age", value: ageDays === 1 ? "1 day" : `${ageDays} days` },
        { name: "Last used", value: <LastUse at={apiKey.lastUsedAt} ip={apiKey.lastUsedIp} /> },
        { name: "Credits", value: monthCredits(creditsThisMonth, apiKey.creditsPerMonth) },
        { name: "Allowed from", value: <Networks networks={apiKey.allowedNetworks} /> },
        { name: "Expires", value: expiresAt ? <TimeText at={expiresAt} kind="exact" /> : "Never" },
        { name: "Revoked", value: revokedAt && <TimeText at={revokedAt} kind="exact" /> },
        {
          name: "Replaced by",
          value: replacedById && <IdText href={hrefOf(replacedById)} id={replacedById} label="the new key's id" />,
        },
        {
          name: "Replaces",
          value: replacesId && <IdText href={hrefOf(replacesId)} id={replacesId} label="the old key's id" />,
        },
        {
          name: "Calls",
          value: (
            <a className="text-accent-text hover:underline" href={logsHref}>
              See them in the logs
            </a>
          ),
        },
      ]}
    />
  );
}

function PermissionList({ permissions }: Pick<ApiKeyRecord, "permissions">) {
  return (
    <ul>
      {permissions.map((permission) => (
        <li key={permission}>
          <span className="font-mono">{permission}</span>{" "}
          <span className="text-muted">{PERMISSION_WORDS[permission].text}</span>
        </li>
      ))}
    </ul>
  );
}

function Networks({ networks }: { networks: string[] }) {
  if (networks.length === 0) return "Anywhere";
  return (
    <ul>
      {networks.map((network) => (
        <li className="font-mono [overflow-wrap:anywhere]" key={network}>
          {network}
        </li>
      ))}
    </ul>
  );
}

function LastUse({ at, ip }: { at: ApiKeyRecord["lastUsedAt"]; ip: ApiKeyRecord["lastUsedIp"] }) {
  if (!at) return "Never";
  return (
    <>
      <TimeText at={at} kind="exact" /> {ip ? <span className="font-mono text-muted">{ip}</span> : null}
    </>
  );
}

function creatorOf(person: ApiKeyRecord["createdBy"]): string {
  return person === null ? "the operator" : (person.name ?? person.email);
}
