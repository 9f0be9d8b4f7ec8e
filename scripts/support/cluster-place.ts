import { createHash } from "node:crypto";
import { existsSync, lchownSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readJson, writePrivateJson } from "@/scripts/support/private-file";

/** What a start leaves in the data directory for the next one. */
export interface ClusterMemory {
  port: number;
  clusterDir: string;
}

/** Lies in the cluster, and goes with it wherever it is moved or copied. */
interface Mark {
  /** The data directory that used the cluster last. */
  dataDir: string;
}

/** Where clusters lie that Postgres' user could not reach in their data directory; only root may write here. */
const OUTSIDE_ROOT = "/var/lib";
const OUTSIDE_PREFIX = "ai-processing-service-";
const CLUSTER_NAME = "postgres";
const MEMORY_NAME = "postgres.json";
const MARK_NAME = "service-data-dir.json";

/** What the last start on a data directory left; undefined before the first. */
export function readClusterMemory(dataDir: string): ClusterMemory | undefined {
  return readJson<ClusterMemory>(join(dataDir, MEMORY_NAME));
}

/** Keeps it for the next start. */
export function writeClusterMemory(dataDir: string, memory: ClusterMemory): void {
  writePrivateJson(join(dataDir, MEMORY_NAME), memory);
}

/** Where the cluster of a data directory lies, unless Postgres' user cannot get there. */
export function clusterInside(dataDir: string): string {
  return join(dataDir, CLUSTER_NAME);
}

/** Where it lies then. */
export function clusterOutside(dataDir: string, root = OUTSIDE_ROOT): string {
  const tag = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return join(root, `${OUTSIDE_PREFIX}${tag}`, CLUSTER_NAME);
}

/**
 * Finds the cluster of a data directory that was used before. One that lies in it is its own, whatever an earlier start
 * remembers: the folder may have been moved, or be a copy.
 * @returns undefined when none was made yet
 * @throws Error that names the place when it is gone or belongs to another data directory
 */
export function findCluster(dataDir: string, root = OUTSIDE_ROOT): string | undefined {
  const inside = clusterInside(dataDir);
  const own = clusterOutside(dataDir, root);
  const remembered = readClusterMemory(dataDir)?.clusterDir;
  const places = [inside, ...(remembered && isOutside(remembered, root) ? [remembered] : []), own];
  const found = places.find((place) => existsSync(place));
  if (found === undefined && remembered !== undefined) {
    throw new Error(
      `The database of ${dataDir} lay in ${remembered}, where there is none now, or none that this user may see. Put it back there or at ${inside}; without ${join(dataDir, MEMORY_NAME)} a start makes an empty one.`,
    );
  }
  if (found !== undefined) refuseAnothers(found, dataDir, root);
  return found;
}

/**
 * Says that the database of a data directory is not the one in use, to whoever set the address of an empty one: all that was made
 * before seems gone. Undefined where there is none.
 */
export function unusedClusterNote(dataDir: string): string | undefined {
  const places = [clusterInside(dataDir), readClusterMemory(dataDir)?.clusterDir];
  const left = places.find((place) => place !== undefined && existsSync(place));
  if (left === undefined) return undefined;
  return `DATABASE_URL named an empty database, so this service is new. What it had before is in ${left} still: docs/operations.md (Back-up and restore) says how it is moved.`;
}

function isOutside(clusterDir: string, root: string): boolean {
  const folder = dirname(clusterDir);
  return clusterDir === join(folder, CLUSTER_NAME) && folder.startsWith(join(root, OUTSIDE_PREFIX));
}

function refuseAnothers(clusterDir: string, dataDir: string, root: string): void {
  const [inside, own] = [clusterInside(dataDir), clusterOutside(dataDir, root)];
  const owner = ownerOfCluster(clusterDir);
  // One from before this was written down: only its place says whose it is.
  const isUnclear = owner === undefined && clusterDir !== inside && clusterDir !== own;
  if (!isUnclear && (owner === undefined || isSameFolder(owner, dataDir) || !doesUse(owner, clusterDir))) return;
  throw new Error(
    `The database of ${dataDir} is in ${clusterDir}, and belongs to ${owner ?? "the directory that this one was copied or moved from"}. ${adviceFor()}.`,
  );

  function adviceFor(): string {
    if (clusterDir === inside) return "Put a copy of its own there, not a link";
    if (clusterDir === own) return "Set another DATA_DIR";
    return `Stop what runs there, copy (or, where this directory was moved, move) ${dirname(clusterDir)} to ${dirname(own)}, remove ${join(dataDir, MEMORY_NAME)}, and start again`;
  }
}

/** The data directory that used a cluster last; undefined for one from before this was written down. */
export function ownerOfCluster(clusterDir: string): string | undefined {
  return readJson<Mark>(join(clusterDir, MARK_NAME))?.dataDir;
}

/** Writes down in a cluster whose it is. */
export function markCluster(clusterDir: string, dataDir: string): void {
  const path = join(clusterDir, MARK_NAME);
  const { uid, gid } = statSync(clusterDir);
  writePrivateJson(path, { dataDir } satisfies Mark);
  // Who is not root made both. The folder is that user's: what stands there by now may be a link to something that is not.
  if (process.getuid?.() === 0) lchownSync(path, uid, gid);
}

/** Whether a data directory is still there and its next start would take this cluster. */
function doesUse(dataDir: string, clusterDir: string): boolean {
  const memory = existsSync(dataDir) ? readClusterMemory(dataDir) : undefined;
  return memory !== undefined && isSameFolder(memory.clusterDir, clusterDir);
}

/** Whether two paths lead to one folder, by whatever links, and in whatever case where the system makes no difference. */
export function isSameFolder(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  return existsSync(one) && existsSync(other) && realpathSync.native(one) === realpathSync.native(other);
}
