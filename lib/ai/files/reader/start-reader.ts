import { type ChildProcess, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";

/**
 * Found from the working directory, which is the project's root in every way to run it: inside a bundle, the place of
 * this module says nothing. A list, since bundlers try to follow a path that is written out where a process starts; and of the
 * working directory they would take all that lies there for part of each route (next.config.ts names what a reader needs).
 */
const HOST_PATH = ["lib", "ai", "files", "reader", "host-worker.mjs"];

/** A process that waits for what it is to read (host-worker.mjs). */
export function startReader(): ChildProcess {
  return spawn(process.execPath, [join(/* turbopackIgnore: true */ process.cwd(), ...HOST_PATH)], {
    serialization: "advanced",
    // Neither loaders nor secrets of the service belong in there; looking through the machine's fonts takes a third of a short reading.
    env: { NODE_ENV: "production", DISABLE_SYSTEM_FONTS_LOAD: "1", ...compileCache() },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** Where the service keeps what it compiled, its readers do too: a fifth less of what a short reading takes. */
function compileCache() {
  const folder = getCompileCacheDir();
  // The runtime names the folder of its own version, in the one that it was given.
  return folder && { NODE_COMPILE_CACHE: dirname(folder) };
}
