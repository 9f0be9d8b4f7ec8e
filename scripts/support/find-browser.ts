import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright";
import { runQuietly } from "@/scripts/support/run-quietly.mjs";

/** The one without windows comes first: a test takes it a sixth less time. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Packages of Debian and its kin, not all of which have the first. */
const PACKAGES = ["chromium-headless-shell", "chromium"];

/**
 * The browser for the tests: CHROMIUM_PATH, one that Playwright installed, one on the PATH, or, as root on a
 * Debian-like system, one installed now.
 * @throws Error that says how to get one
 */
export async function ensureBrowser(): Promise<string> {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!isExecutable(named))
      throw new Error(`CHROMIUM_PATH: ${named} is not a program. Set it right or leave it out.`);
    return named;
  }
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && (await hasApt())) await installChromium();
  const installed = findChromium();
  if (!installed)
    throw new Error("There is no browser for the browser tests: install Chromium, or set CHROMIUM_PATH to one.");
  return installed;
}

/**
 * The browser of the tests: CHROMIUM_PATH, one that Playwright installed, or one on the PATH.
 * Undefined when there is none: Playwright then says how to get one.
 */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [chromium.executablePath(), ...onPath].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function hasApt(): Promise<boolean> {
  return promisify(execFile)("apt-get", ["--version"]).then(
    () => true,
    () => false,
  );
}

async function installChromium(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const step = (label: string, done: string, args: string[]) =>
    runQuietly({ label, done, file: "apt-get", args, cwd: process.cwd(), env });
  await step("Looking for packages", "Looked for packages", ["update", "-q"]);
  const known = await Promise.all(PACKAGES.map(isKnown));
  const name = PACKAGES[known.indexOf(true)] ?? "chromium";
  await step("Installing Chromium", "Installed Chromium", ["install", "-y", "-q", "--no-install-recommends", name]);
}

/** Whether there is such a package to install. */
function isKnown(name: string): Promise<boolean> {
  return promisify(execFile)("apt-cache", ["show", "--no-all-versions", name]).then(
    ({ stdout }) => stdout.includes("Filename:"),
    () => false,
  );
}
