import { randomBytes } from "node:crypto";
import { accessSync, chmodSync, constants, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readJson, writePrivateJson } from "@/scripts/support/private-file";

/** Random values that a first start makes for itself; each can be given as a setting instead. */
export interface Secrets {
  postgresPassword: string;
  /** 32 bytes in base64. */
  encryptionKey: string;
  authSecret: string;
}

/** What a running service tells the operator commands. */
export interface RuntimeNote {
  databaseUrl: string;
  url: string;
  pid: number;
  /** Whether callbacks may go to receivers on this machine, with the certificate in the data directory. */
  hasLocalReceivers: boolean;
}

const OWNER_ONLY = 0o700;
/** Made anew they open neither the database nor what it holds. */
const SECRETS_LOST =
  "Restore it from a back-up: it holds the keys to the database of this directory, its signing secrets and second factors.";

/**
 * Makes the data directory when it is not there.
 * @throws Error that names it when it cannot be made or written
 */
export function openDataDir(dataDir: string): void {
  try {
    if (makeDirectory(dataDir)) chmodSync(dataDir, OWNER_ONLY);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new Error(`DATA_DIR: ${dataDir} cannot be used (${why}). ${adviceFor(why, dataDir)}`, { cause });
  }
}

/**
 * Makes it, and the directories above it that are not there; whether there was anything to make. Asked for all of them at once,
 * node tries again without end where the system makes none, as below /proc.
 */
function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: OWNER_ONLY });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return false;
    if (code !== "ENOENT" || !makeDirectory(dirname(path))) throw error;
    return makeDirectory(path);
  }
}

/** A start as root, once, makes a directory that is root's for good. */
function adviceFor(why: string, dataDir: string): string {
  const owner = why === "EACCES" && existsSync(dataDir) ? statSync(dataDir).uid : undefined;
  const isAnothers = owner !== undefined && owner !== process.getuid?.();
  return isAnothers
    ? `It belongs to ${owner === 0 ? "root" : `user ${owner}`}: start as that user, or set it to a directory of your own.`
    : "Set it to a directory that can be written.";
}

/**
 * The data directory's secrets; what is missing is made and kept.
 * @throws Error that says what goes with them when they cannot be read
 */
export function loadSecrets(dataDir: string): Secrets {
  const path = join(dataDir, "secrets.json");
  const kept = readJson<Partial<Secrets>>(path, SECRETS_LOST) ?? {};
  const secrets: Secrets = {
    postgresPassword: kept.postgresPassword ?? randomBytes(24).toString("base64url"),
    encryptionKey: kept.encryptionKey ?? randomBytes(32).toString("base64"),
    authSecret: kept.authSecret ?? randomBytes(32).toString("base64url"),
  };
  if (Object.keys(secrets).some((name) => !(name in kept))) writePrivateJson(path, secrets);
  return secrets;
}

/** Says where the running service is; returns what takes the note away. */
export function writeRuntimeNote(dataDir: string, note: RuntimeNote): () => void {
  const path = join(dataDir, "runtime.json");
  writePrivateJson(path, note);
  return () => rmSync(path, { force: true });
}

/** The note of the service that runs, or ran, on this data directory. */
export function readRuntimeNote(dataDir: string): RuntimeNote | undefined {
  return readJson<RuntimeNote>(join(dataDir, "runtime.json"));
}
