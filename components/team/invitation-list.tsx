"use client";

import { ConfirmButton } from "@/components/ui/confirm-button";
import { DataTable } from "@/components/ui/data-table";
import { TimeText } from "@/components/ui/time-text";
import type { ActionResult } from "@/lib/contracts/action-result";

export interface InvitationRow {
  id: string;
  email: string;
  role: string;
  /** ISO 8601 */
  createdAt: string;
  expiresAt: string;
}

interface InvitationListProps {
  invitations: InvitationRow[];
  /** None: the reader may not. */
  revoke?: (input: { invitationId: string }) => Promise<ActionResult<unknown>>;
}

/** Invitations that nobody has accepted yet. */
export function InvitationList({ invitations, revoke }: InvitationListProps) {
  return (
    <DataTable
      columns={[
        { id: "email", name: "E-mail", cell: ({ email }) => email },
        { id: "role", name: "Role", cell: ({ role }) => role, width: "w-36" },
        { id: "created", name: "Invited", cell: ({ createdAt }) => <TimeText at={createdAt} /> },
        { id: "expires", name: "Works until", cell: ({ expiresAt }) => <TimeText at={expiresAt} />, from: "lg" },
        {
          id: "act",
          name: "Actions",
          cell: ({ id, email }) =>
            revoke ? (
              <ConfirmButton
                about={email}
                action={() => revoke({ invitationId: id })}
                confirmLabel="Take back"
                label="Take back"
                success="Invitation taken back."
                text={`The link that ${email} got stops working.`}
                title="Take this invitation back?"
                variant="ghost"
              />
            ) : null,
          width: "w-28",
        },
      ]}
      empty={null}
      label="Open invitations"
      rowKey={({ id }) => id}
      rows={invitations}
    />
  );
}
