import { readFileSync, writeFileSync } from "node:fs";
import { unlistedPackages } from "./support/platform-packages.mjs";

/**
 * `node scripts/complete-lockfile.mjs`, after a change of dependencies: names in package-lock.json what the registry did not
 * carry for other platforms, so that the checkout can be installed there. Without hashes: nobody here has seen these packages.
 */

const FILE = "package-lock.json";
const lock = JSON.parse(readFileSync(FILE, "utf8"));
const unlisted = unlistedPackages(lock.packages);
const byPath = ([one], [other]) => one.localeCompare(other, "en");
lock.packages = Object.fromEntries(Object.entries({ ...lock.packages, ...unlisted }).sort(byPath));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${Object.keys(unlisted).length} packages added to ${FILE}.\n`);
