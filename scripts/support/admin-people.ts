import { OPERATOR } from "@/lib/services/accounts/record-audit";
import type { AdminCommand } from "@/scripts/support/admin-command";
import { requireText } from "@/scripts/support/command-line";

/** Staff, and how people sign in. */
export const PEOPLE_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  "create-staff": {
    usage: "--email E",
    flags: { email: "text" },
    setsUp: true,
    plan(flags) {
      const email = requireText(flags, "email");
      return async () => {
        const { createStaff } = await import("@/lib/services/accounts/create-staff");
        return { ...(await createStaff(OPERATOR, { email })) };
      };
    },
  },
  "disable-staff": {
    usage: "--email E --reason R",
    flags: { email: "text", reason: "text" },
    plan(flags) {
      const input = { email: requireText(flags, "email"), reason: requireText(flags, "reason") };
      return async () => {
        const { disableStaff } = await import("@/lib/services/accounts/disable-staff");
        return { ...(await disableStaff(OPERATOR, input)) };
      };
    },
  },
  "reset-password": {
    usage: "--email E [--remove-second-factor]",
    flags: { email: "text", "remove-second-factor": "switch" },
    plan(flags) {
      const input = { email: requireText(flags, "email"), removeSecondFactor: flags["remove-second-factor"] === true };
      return async () => {
        const { createPasswordLink } = await import("@/lib/services/people/change-password");
        return { ...(await createPasswordLink(OPERATOR, input)) };
      };
    },
  },
  "change-email": {
    usage: "--email E --new-email E",
    flags: { email: "text", "new-email": "text" },
    plan(flags) {
      const input = { email: requireText(flags, "email"), newEmail: requireText(flags, "new-email") };
      return async () => {
        const { createEmailLink } = await import("@/lib/services/people/change-email");
        return { ...(await createEmailLink(OPERATOR, input)) };
      };
    },
  },
};
