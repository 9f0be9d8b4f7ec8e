import { randomBytes } from "node:crypto";

/**
 * Settings for a test that runs services in its own process. Call it before anything reads the settings.
 * @param settings further variables, or others than these
 */
export function useTestSettings(databaseUrl: string, settings: Record<string, string> = {}): void {
  Object.assign(process.env, {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    ...settings,
  });
}
