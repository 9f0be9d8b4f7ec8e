"use client";

import { ListBox, Select } from "@heroui/react";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { Role } from "@/lib/domain/panel-actions";

export interface RoleChange {
  userId: string;
  role: Role;
  /** What the list shows. */
  began: Role;
}

interface RoleSelectProps {
  userId: string;
  email: string;
  role: string;
  changeRole: (input: RoleChange) => Promise<ActionResult<unknown>>;
}

const ROLES: Role[] = ["owner", "admin", "member"];

/** A member's role, changed as soon as another is chosen. */
export function RoleSelect({ userId, email, role, changeRole }: RoleSelectProps) {
  const { run, isPending } = useAction(changeRole, { isOfNow: true, success: "Role changed." });
  return (
    <Select
      aria-label={`Role of ${email}`}
      className="w-32"
      onChange={(key) => {
        if (key !== null && key !== role) run({ userId, role: key as Role, began: role as Role });
      }}
      value={role}
    >
      {/* Switched off in earnest it would lose the focus; meanwhile another choice does nothing. */}
      <Select.Trigger aria-disabled={isPending} className="min-h-8 py-1 text-code">
        <Select.Value className="capitalize" />
        <Select.Indicator />
      </Select.Trigger>
      <Select.Popover>
        <ListBox>
          {ROLES.map((name) => (
            <ListBox.Item id={name} key={name} textValue={name}>
              <span className="capitalize">{name}</span>
              <ListBox.ItemIndicator />
            </ListBox.Item>
          ))}
        </ListBox>
      </Select.Popover>
    </Select>
  );
}
