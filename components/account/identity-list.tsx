"use client";

import { ConfirmButton } from "@/components/ui/confirm-button";
import { DataTable } from "@/components/ui/data-table";
import { TimeText } from "@/components/ui/time-text";
import type { ActionResult } from "@/lib/contracts/action-result";

const NAMES = { google: "Google", github: "GitHub" } as const;

type Provider = keyof typeof NAMES;

export interface IdentityRow {
  provider: Provider;
  /** How many people of that service come in. */
  count: number;
  /** ISO 8601 */
  joinedAt: string;
}

interface IdentityListProps {
  identities: IdentityRow[];
  /** Absent where the only way in stands here. */
  remove?: (input: { provider: Provider }) => Promise<ActionResult<unknown>>;
}

/** The other services that sign a person in. */
export function IdentityList({ identities, remove }: IdentityListProps) {
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
        { id: "joined", name: "Joined", cell: ({ joinedAt }) => <TimeText at={joinedAt} /> },
        {
          id: "remove",
          name: "Actions",
          cell: ({ provider }) =>
            remove ? (
              <ConfirmButton
                about={NAMES[provider]}
                action={() => remove({ provider })}
                confirmLabel="Remove it"
                label="Remove"
                success={`${NAMES[provider]} no longer signs you in.`}
                text="It opens this account no more, and your other browsers are signed out."
                title={`Remove the sign-in with ${NAMES[provider]}?`}
                variant="ghost"
              />
            ) : null,
          width: "w-28",
        },
      ]}
      empty={null}
      label="Other ways in"
      rowKey={({ provider }) => provider}
      rows={identities}
    />
  );
}
