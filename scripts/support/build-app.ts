import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, parseEnv } from "@/lib/env";
import { memoryWarning } from "@/scripts/support/build-memory.mjs";
import { hintCompilation } from "@/scripts/support/hint-compilation";
import { runQuietly } from "@/scripts/support/run-quietly.mjs";
import { withSetupLock } from "@/scripts/support/setup-lock.mjs";

/** What ends up in the build: these folders, and the files of the root with these endings. */
const SOURCE_FOLDERS = ["app", "components", "inngest", "lib", "public", "prisma/schema"];
const ROOT_ENDINGS = [".ts", ".tsx", ".mjs", "package-lock.json"];
/** As scripts/serve.ts names it. */
const LANE_FILE = "lane.mjs";
/** Settings that pages made at build time show. */
const BUILD_SETTINGS = ["SERVICE_NAME"] as const satisfies (keyof Env)[];

/**
 * Builds the application unless the last build was of the same sources. Several starts of one checkout that need a build wait for one.
 * @throws Error with the build's output when it fails
 */
export async function buildIfChanged(build = buildAll): Promise<void> {
  const stamp = join(distDir(), "source-hash");
  const hash = hashSources();
  const isCurrent = () => existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
  if (isCurrent()) return;
  const lock = resolve(
    ".runtime",
    `build-${createHash("sha256").update(resolve(distDir())).digest("hex").slice(0, 8)}.lock`,
  );
  await withSetupLock(
    lock,
    async () => {
      if (isCurrent()) return;
      rmSync(stamp, { force: true });
      // Earlier versions could be made to keep copies of uploaded pictures there, which no erasure reached.
      rmSync(join(distDir(), "cache", "images"), { recursive: true, force: true });
      await build();
      writeFileSync(stamp, hash);
    },
    "building",
  );
}

async function buildAll(): Promise<void> {
  const warning = memoryWarning();
  if (warning !== undefined) process.stderr.write(`${warning}\n`);
  await runQuietly({
    label: "Building the application",
    done: "Built the application",
    file: process.execPath,
    args: [resolve("node_modules/next/dist/bin/next"), "build"],
    cwd: process.cwd(),
    env: { ...process.env, NODE_ENV: "production" },
  });
  hintCompilation(distDir());
  await buildLane();
}

/** What the server answers in front of Next, in one file beside Next's build: node loads it as it is. */
async function buildLane(): Promise<void> {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [resolve("app/_lane/lane.ts")],
    outfile: resolve(distDir(), LANE_FILE),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    // One copy of each package per process, the one that Next's build requires too.
    packages: "external",
    logLevel: "silent",
  });
}

function distDir(): string {
  return process.env.NEXT_DIST_DIR ?? ".next";
}

/**
 * What the build is of; another hash costs a whole build.
 * @throws SettingsError
 */
export function hashSources(): string {
  const hash = createHash("sha256");
  for (const path of sourceFiles()) hash.update(path).update("\0").update(readFileSync(path)).update("\0");
  // As they are read: a default that is written out is the default.
  const settings = parseEnv(process.env);
  for (const name of BUILD_SETTINGS) hash.update(`${name}=${settings[name]}`);
  return hash.digest("hex");
}

function sourceFiles(): string[] {
  const inFolders = SOURCE_FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const inRoot = readdirSync(".").filter(
    (name) => ROOT_ENDINGS.some((ending) => name.endsWith(ending)) && !/\.test\.ts$|next-env\.d\.ts/.test(name),
  );
  return [...inFolders, ...inRoot].sort();
}
