import { existsSync } from "node:fs";
import { type Env, parseEnv, SettingsError } from "@/lib/env";
import { readExtraCa } from "@/lib/net/extra-ca";

/**
 * The settings for a command: the environment, over `.env` where there is one. Wrong ones end the process with
 * one line each, before anything is started.
 */
export function readSettings(): Env {
  return orEnd(readAll);
}

/** The same for the service itself, which reads the files that settings name later: what is wrong with them ends it too. */
export function readServiceSettings(): Env {
  return orEnd(() => {
    const settings = readAll();
    if (settings.OUTBOUND_EXTRA_CA_FILE !== undefined) readExtraCa(settings.OUTBOUND_EXTRA_CA_FILE);
    return settings;
  });
}

function readAll(): Env {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return parseEnv(process.env);
}

function orEnd(read: () => Env): Env {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const line of error.lines) process.stderr.write(`${line}\n`);
    process.exit(1);
  }
}
