import type { Env } from "@/lib/env";
import type { Secrets } from "@/scripts/support/data-dir";

/** Variables for a process of the service: what is known here, over what this process was given. */
export function serviceVariables(settings: Env, secrets: Secrets, databaseUrl: string): Record<string, string> {
  return {
    DATA_DIR: settings.DATA_DIR,
    DATABASE_URL: databaseUrl,
    // The terminal shows how to use the service and what goes wrong; whoever wants more sets it.
    LOG_LEVEL: process.env.LOG_LEVEL?.trim() || "warn",
    ENCRYPTION_KEY: settings.ENCRYPTION_KEY ?? secrets.encryptionKey,
    AUTH_SECRET: settings.AUTH_SECRET ?? secrets.authSecret,
  };
}
