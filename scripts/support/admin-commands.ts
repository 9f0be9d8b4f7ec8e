import { ACCOUNT_COMMANDS } from "@/scripts/support/admin-accounts";
import type { AdminCommand } from "@/scripts/support/admin-command";
import { KEY_COMMANDS } from "@/scripts/support/admin-keys";
import { PEOPLE_COMMANDS } from "@/scripts/support/admin-people";
import { SERVICE_COMMANDS } from "@/scripts/support/admin-service";

/** The operator commands by name, in the order in which they are listed. */
export const ADMIN_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  ...ACCOUNT_COMMANDS,
  ...KEY_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...SERVICE_COMMANDS,
};
