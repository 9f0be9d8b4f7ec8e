import type { AdminCommand } from "@/scripts/support/admin-command";

/** The service as a whole. */
export const SERVICE_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  "switch-off-demo": {
    usage: "",
    flags: {},
    plan: () => async () => {
      const { env } = await import("@/lib/env");
      const { switchOffDemoAccount } = await import("@/scripts/support/demo-account");
      return switchOffDemoAccount(env().DATA_DIR);
    },
  },
  "rotate-encryption-key": {
    usage: "",
    flags: {},
    plan: () => async () => {
      const { rotateEncryptionKey } = await import("@/lib/services/secrets/rotate-encryption-key");
      return { ...(await rotateEncryptionKey()) };
    },
    // Whoever then takes the old key away loses what a third one sealed.
    hasFound: ({ unreadable }) => unreadable !== 0,
  },
};
