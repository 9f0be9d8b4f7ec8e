import { existsSync, readFileSync } from "node:fs";
import { parseEnv as parseLines } from "node:util";
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
  for (const [name, value] of Object.entries(readEnvFile(".env"))) process.env[name] ??= value;
  return parseEnv(process.env);
}

/**
 * What a file of settings says; none says nothing. Editors of Windows begin one with a mark, and its PowerShell writes UTF-16: read
 * as plain UTF-8, the first setting or all of them would count as not set.
 */
export function readEnvFile(path: string): NodeJS.Dict<string> {
  if (!existsSync(path)) return {};
  const bytes = readFileSync(path);
  const encodings: Record<string, string> = { fffe: "utf-16le", feff: "utf-16be" };
  return parseLines(new TextDecoder(encodings[bytes.toString("hex", 0, 2)] ?? "utf-8").decode(bytes));
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
