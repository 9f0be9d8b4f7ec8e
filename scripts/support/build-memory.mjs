import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";

const MB = 1024 ** 2;

/** What a sparing build takes at its height. */
const BUILD_BYTES = 1_500 * MB;
/** An unbounded build takes 2.2 GB; from here on there is room for it beside a database and a service that runs. */
const ROOMY_BYTES = 4_000 * MB;

/**
 * How Next builds on a small machine: without a cache for later builds, maps of the sources, and a process per core. Where it finds no
 * room, the system reads its program anew from the disk again and again, and the build never ends.
 * @param {number} [bytes] what the machine has, or its container
 * @returns {import("next").NextConfig["experimental"]}
 */
export function sparingBuild(bytes = memoryOfMachine()) {
  if (bytes >= ROOMY_BYTES) return {};
  return {
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
    turbopackInputSourceMaps: false,
    cpus: 1,
  };
}

/**
 * What to say before a build that may find no room.
 * @param {number | undefined} [bytes] memory and swap that are free; undefined: nobody knows
 * @returns {string | undefined}
 */
export function memoryWarning(bytes = freeMemory()) {
  if (bytes === undefined || bytes >= BUILD_BYTES) return undefined;
  const free = `${Math.max(0, Math.round(bytes / MB))} MB`;
  return `Building takes up to 1.5 GB of memory, and ${free} are free: should it not end, or be killed, add swap, or stop what else runs.`;
}

function memoryOfMachine() {
  // 0, or more than there is: no bound.
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
}

/** On Linux alone: other systems make room on their disks by themselves. */
function freeMemory() {
  if (process.platform !== "linux") return undefined;
  return Math.min(process.availableMemory(), freemem()) + freeSwap();
}

function freeSwap() {
  try {
    const kilobytes = /^SwapFree:\s+(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
