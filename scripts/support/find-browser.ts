import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join, win32 } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright";
import { runQuietly } from "@/scripts/support/run-quietly.mjs";

/** The one without windows comes first: a test takes it a sixth less time. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Packages of Debian and its kin, not all of which have the first. */
const PACKAGES = ["chromium-headless-shell", "chromium"];

/** Where these have their programs, of which few are on the PATH. */
const MAC_PROGRAMS = ["Google Chrome", "Chromium", "Microsoft Edge"];
const WINDOWS_PROGRAMS = [
  ["Google", "Chrome", "Application", "chrome.exe"],
  ["Chromium", "Application", "chrome.exe"],
  ["Microsoft", "Edge", "Application", "msedge.exe"],
];

const NO_BROWSER =
  "There is no browser for the browser tests: install Chrome or Chromium, set CHROMIUM_PATH to one, or fetch Playwright's (npx playwright install chromium).";

/**
 * The browser for the tests: CHROMIUM_PATH, one that Playwright installed, one of this system, or, as root on a Debian-like
 * system, its package, installed now. Elsewhere nothing is fetched unasked.
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
  const mayInstall = process.getuid?.() === 0 && (await hasApt());
  const problem = mayInstall ? await installPackage().catch((error: Error) => error.message) : undefined;
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(problem ? `${problem}\n${NO_BROWSER}` : NO_BROWSER);
}

/**
 * The browser of the tests: CHROMIUM_PATH, one that Playwright installed, or one of this system.
 * Undefined when there is none: Playwright then says how to get one.
 */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [chromium.executablePath(), ...onPath, ...usualPlaces(process.platform, process.env)].find(isExecutable);
}

/** Where a system other than Linux has its browsers. */
export function usualPlaces(platform: NodeJS.Platform, variables: NodeJS.ProcessEnv): string[] {
  if (platform === "darwin") {
    const folders = ["/Applications", join(variables.HOME ?? "", "Applications")];
    return MAC_PROGRAMS.flatMap((name) => folders.map((folder) => `${folder}/${name}.app/Contents/MacOS/${name}`));
  }
  if (platform !== "win32") return [];
  const folders = [variables.PROGRAMFILES, variables["PROGRAMFILES(X86)"], variables.LOCALAPPDATA];
  return WINDOWS_PROGRAMS.flatMap((path) => folders.flatMap((folder) => (folder ? [win32.join(folder, ...path)] : [])));
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

async function installPackage(): Promise<void> {
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
