/**
 * Packages that hold a program of one platform. npm names all of them in a lockfile, but only as far as the registry that it was
 * written with carries them, and npm 10 installs none that is not named: a checkout would not build on the platforms left out.
 */

/** @typedef {{ os: string, cpu: string, libc: string | undefined }} Platform */

const NAME =
  /-(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64)(?:-([a-z]+))?$/;
const LIBC = { gnu: ["glibc"], musl: ["musl"] };

/** @returns {Platform} that of this process */
export function thisPlatform() {
  return { os: process.platform, cpu: process.arch, libc: process.platform === "linux" ? libcHere() : undefined };
}

function libcHere() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
}

/**
 * What a lockfile wants here and an install has not got, in that version.
 * @param {Record<string, any>} wanted the packages of the lockfile
 * @param {Record<string, any>} installed the packages of npm's note
 * @param {Platform} here
 * @returns {string[]} their paths
 */
export function missingPackages(wanted, installed, here = thisPlatform()) {
  return Object.keys(wanted).filter(
    (path) => path !== "" && isWanted(wanted[path], here) && installed[path]?.version !== wanted[path].version,
  );
}

/** What is optional and of no platform may belong to something that is left out here. */
function isWanted({ optional, os, cpu, libc }, here) {
  if (!optional) return true;
  return Boolean(os ?? cpu) && fits(os, here.os) && fits(cpu, here.cpu) && fits(libc, here.libc);
}

function fits(names, own) {
  if (!names || own === undefined) return true;
  return names.includes(own) || (!names.includes(`!${own}`) && names.every((name) => name.startsWith("!")));
}

/**
 * The packages of platforms that others ask for and a lockfile lacks, as it would name them; WebAssembly stands for no platform.
 * @param {Record<string, any>} packages of the lockfile
 * @returns {Record<string, object>}
 */
export function unlistedPackages(packages) {
  const found = Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => NAME.test(name) && !isListed(packages, path, name))
      .map(([name, version]) => [`node_modules/${name}`, entryOf(name, version, dev)]),
  );
  return Object.fromEntries(found);
}

function entryOf(name, version, dev) {
  const [, os, cpu, abi] = NAME.exec(name) ?? [];
  const libc = os === "linux" ? LIBC[abi] : undefined;
  return { version, cpu: [cpu], ...(dev && { dev }), ...(libc && { libc }), optional: true, os: [os] };
}

/** As node looks for it, from the folder of who asks upwards. */
function isListed(packages, path, name) {
  for (let folder = path; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    if (`${folder}/node_modules/${name}` in packages) return true;
  }
  return `node_modules/${name}` in packages;
}
