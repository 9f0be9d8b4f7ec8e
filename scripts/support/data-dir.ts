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
const SECRETS = "secrets.json";
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
 * @param encryptionKey the key where it comes from elsewhere: none is made then, for whoever has this directory alone would take
 * it for the service's
 * @throws Error that says what goes with them when they cannot be read
 */
export function loadSecrets(dataDir: string, encryptionKey?: string): Secrets {
  const kept = readSecrets(dataDir);
  const secrets: Secrets = {
    postgresPassword: kept.postgresPassword ?? randomBytes(24).toString("base64url"),
    encryptionKey: kept.encryptionKey ?? encryptionKey ?? makeEncryptionKey(),
    authSecret: kept.authSecret ?? randomBytes(32).toString("base64url"),
  };
  const { encryptionKey: used, ...others } = secrets;
  const toKeep =
    kept.encryptionKey === undefined && encryptionKey !== undefined ? others : { ...others, encryptionKey: used };
  if (Object.keys(toKeep).some((name) => !(name in kept))) writePrivateJson(join(dataDir, SECRETS), toKeep);
  return secrets;
}

/** Whether the data directory has a key of its own, which the service uses unless it is given another. */
export function keepsEncryptionKey(dataDir: string): boolean {
  return readSecrets(dataDir).encryptionKey !== undefined;
}

/** 32 random bytes, as ENCRYPTION_KEY takes them. */
export function makeEncryptionKey(): string {
  return randomBytes(32).toString("base64");
}

function readSecrets(dataDir: string): Partial<Secrets> {
  return readJson<Partial<Secrets>>(join(dataDir, SECRETS), SECRETS_LOST) ?? {};
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
