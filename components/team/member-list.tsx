"use client";

import { memo, useDeferredValue, useMemo, useState } from "react";
import { MOST_AT_A_GLANCE } from "@/components/team/at-a-glance";
import { FindMember } from "@/components/team/find-member";
import { FirstRows } from "@/components/team/first-rows";
import { KeysThatStay, type StayingKey } from "@/components/team/keys-that-stay";
import { type RoleChange, RoleSelect } from "@/components/team/role-select";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { DataTable } from "@/components/ui/data-table";
import { leaveFor } from "@/components/ui/leave-for";
import { TimeText } from "@/components/ui/time-text";
import type { ActionResult } from "@/lib/contracts/action-result";

export interface MemberRow {
  userId: string;
  email: string;
  name: string | null;
  role: string;
  hasSecondFactor: boolean;
  /** ISO 8601; null: never. */
  lastSignInAt: string | null;
  isSelf: boolean;
  mayRemove: boolean;
  /** Which of those that they made take calls. */
  keys: StayingKey[];
}

interface MemberListProps {
  members: MemberRow[];
  /** None: the reader may not. */
  changeRole?: (input: RoleChange) => Promise<ActionResult<unknown>>;
  remove: (input: { userId: string }) => Promise<ActionResult<unknown>>;
  leave: (input: undefined) => Promise<ActionResult<unknown>>;
}

/** The people of an account; where they are many, found by name or address. */
export function MemberList({ members, ...acts }: MemberListProps) {
  const [word, setWord] = useState("");
  // Hundreds of rows take long to draw: the field shows what is typed before they do.
  const looked = useDeferredValue(word);
  const found = useMemo(() => members.filter((member) => isFoundBy(member, looked)), [members, looked]);
  // With a word in it the field stays, also when the one more was just removed: else the others stayed hidden.
  const hasField = members.length > MOST_AT_A_GLANCE || word !== "";
  return (
    <>
      {hasField ? <FindMember found={found.length} of={members.length} onChange={setWord} word={word} /> : null}
      <FirstRows noun="member" rows={found}>
        {(rows) => <MemberTable {...acts} members={rows} />}
      </FirstRows>
    </>
  );
}

function isFoundBy({ name, email }: MemberRow, word: string): boolean {
  const part = word.trim().toLocaleLowerCase();
  return [name ?? "", email].some((text) => text.toLocaleLowerCase().includes(part));
}

const MemberTable = memo(function MemberTable({ members, changeRole, remove, leave }: MemberListProps) {
  return (
    <DataTable
      columns={[
        { id: "person", name: "Person", cell: (member) => <Person member={member} /> },
        {
          id: "role",
          name: "Role",
          cell: ({ userId, role, email }) =>
            changeRole ? <RoleSelect changeRole={changeRole} email={email} role={role} userId={userId} /> : role,
          width: "w-36",
        },
        {
          id: "factor",
          name: "Second factor",
          cell: ({ hasSecondFactor }) => (hasSecondFactor ? "on" : <span className="text-muted">off</span>),
          from: "lg",
        },
        {
          id: "seen",
          name: "Last sign-in",
          cell: ({ lastSignInAt }) =>
            lastSignInAt ? <TimeText at={lastSignInAt} /> : <span className="text-muted">never</span>,
        },
        {
          id: "act",
          name: "Actions",
          cell: (member) => <TakeOff leave={leave} member={member} remove={remove} />,
          width: "w-28",
        },
      ]}
      empty={null}
      label="Members"
      rowKey={({ userId }) => userId}
      rows={members}
    />
  );
});

function Person({ member: { name, email, isSelf } }: { member: MemberRow }) {
  return (
    <span className="flex gap-x-2 max-sm:flex-wrap max-sm:justify-end">
      {name ? (
        <bdi className="font-medium sm:truncate" title={name}>
          {name}
        </bdi>
      ) : null}
      <span className={`sm:truncate ${name ? "text-muted" : ""}`} title={email}>
        {email}
      </span>
      {isSelf ? <span className="text-muted">you</span> : null}
    </span>
  );
}

function TakeOff({ member, remove, leave }: Pick<MemberListProps, "remove" | "leave"> & { member: MemberRow }) {
  if (member.isSelf) {
    return (
      <ConfirmButton
        action={() => leave(undefined)}
        confirmLabel="Leave the team"
        label="Leave"
        name={member.email}
        onDone={() => leaveFor("/panel")}
        text="You see nothing of this account any more. Only an invitation brings you back. When it is your last team, you can then open a company of your own, or have all that is kept of you erased."
        title="Leave this team?"
        variant="ghost"
      />
    );
  }
  if (!member.mayRemove) return null;
  return (
    <ConfirmButton
      about={member.email}
      action={() => remove({ userId: member.userId })}
      confirmLabel="Remove"
      label="Remove"
      name={member.email}
      success="Removed from the team."
      text={
        <div className="grid gap-3">
          <p>They see nothing of this account from now on, and invitations that they sent end.</p>
          <KeysThatStay keys={member.keys} />
        </div>
      }
      title="Remove this person?"
      variant="ghost"
    />
  );
}
