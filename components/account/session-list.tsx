"use client";

import { ConfirmButton } from "@/components/ui/confirm-button";
import { DataTable } from "@/components/ui/data-table";
import { TimeText } from "@/components/ui/time-text";
import type { ActionResult } from "@/lib/contracts/action-result";

export interface SessionRow {
  id: string;
  /** "Firefox on Windows" */
  browser: string;
  ip: string | null;
  /** ISO 8601 */
  lastSeenAt: string;
  createdAt: string;
  /** The one that looks at the list. */
  isCurrent: boolean;
}

interface SessionListProps {
  sessions: SessionRow[];
  revoke: (input: { sessionId: string }) => Promise<ActionResult<unknown>>;
}

/** Where the person is signed in. */
export function SessionList({ sessions, revoke }: SessionListProps) {
  return (
    <DataTable
      columns={[
        {
          id: "browser",
          name: "Browser",
          cell: ({ browser, isCurrent }) => (
            <>
              {browser}
              {isCurrent ? <span className="ml-2 text-muted">this one</span> : null}
            </>
          ),
        },
        { id: "ip", name: "Address", cell: ({ ip }) => <span className="font-mono">{ip ?? "unknown"}</span> },
        { id: "seen", name: "Last seen", cell: ({ lastSeenAt }) => <TimeText at={lastSeenAt} /> },
        { id: "since", name: "Signed in", cell: ({ createdAt }) => <TimeText at={createdAt} />, from: "lg" },
        {
          id: "end",
          name: "Actions",
          cell: (row) =>
            row.isCurrent ? null : (
              <ConfirmButton
                about={placeOf(row)}
                action={() => revoke({ sessionId: row.id })}
                confirmLabel="Sign it out"
                label="Sign out"
                success="Signed out there."
                text={`${placeOf(row)}. It has to sign in again.`}
                title="Sign this browser out?"
                variant="ghost"
              />
            ),
          width: "w-28",
        },
      ]}
      empty={null}
      label="Where you are signed in"
      rowKey={({ id }) => id}
      rows={sessions}
    />
  );
}

function placeOf({ browser, ip }: SessionRow): string {
  return ip ? `${browser}, ${ip}` : browser;
}
