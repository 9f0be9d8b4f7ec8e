import { existsSync } from "node:fs";
import { type Env, parseEnv, SettingsError } from "@/lib/env";

/**
 * The settings for a command: the environment, over `.env` where there is one. Wrong ones end the process with
 * one line each, before anything is started.
 */
export function readSettings(): Env {
  if (existsSync(".env")) process.loadEnvFile(".env");
  try {
    return parseEnv(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const line of error.lines) process.stderr.write(`${line}\n`);
    process.exit(1);
  }
}
