"use client";

import { ConfirmButton } from "@/components/ui/confirm-button";
import { DataTable } from "@/components/ui/data-table";
import { TimeText } from "@/components/ui/time-text";
import { ActButton } from "@/components/webhooks/act-button";
import type { ActionResult } from "@/lib/contracts/action-result";

const NAMES = { google: "Google", github: "GitHub" } as const;

type Provider = keyof typeof NAMES;

export interface IdentityRow {
  provider: Provider;
  /** How many people of that service come in. */
  count: number;
  /** ISO 8601 */
  joinedAt: string;
  /** ISO 8601; null while it signs the person in. */
  removedAt: string | null;
}

interface IdentityListProps {
  identities: IdentityRow[];
  allow: (input: { provider: Provider }) => Promise<ActionResult<unknown>>;
  /** Absent where the only way in stands here. */
  remove?: (input: { provider: Provider }) => Promise<ActionResult<unknown>>;
}

/** The other services that sign a person in, and those that were taken off. */
export function IdentityList({ identities, allow, remove }: IdentityListProps) {
  return (
    <DataTable
      columns={[
        {
          id: "service",
          name: "Service",
          cell: ({ provider, count }) => (
            <>
              {NAMES[provider]}
              {count > 1 ? <span className="ml-2 text-muted">{count} accounts there</span> : null}
            </>
          ),
        },
        {
          id: "state",
          name: "State",
          cell: ({ joinedAt, removedAt }) => (
            <>
              {removedAt === null ? "Joined " : "Taken off "}
              <TimeText at={removedAt ?? joinedAt} />
            </>
          ),
        },
        {
          id: "remove",
          name: "Actions",
          cell: ({ provider, removedAt }) => {
            if (removedAt !== null) {
              return (
                <ActButton
                  action={() => allow({ provider })}
                  label="Allow again"
                  success={`Sign in with ${NAMES[provider]} to join it again.`}
                />
              );
            }
            return remove ? (
              <ConfirmButton
                about={NAMES[provider]}
                action={() => remove({ provider })}
                confirmLabel="Remove it"
                label="Remove"
                success={`${NAMES[provider]} no longer signs you in.`}
                text="It opens this account no more until you allow it again, and your other browsers are signed out."
                title={`Remove the sign-in with ${NAMES[provider]}?`}
                variant="ghost"
              />
            ) : null;
          },
          width: "w-36",
        },
      ]}
      empty={null}
      label="Other ways in"
      rowKey={({ provider }) => provider}
      rows={identities}
    />
  );
}
