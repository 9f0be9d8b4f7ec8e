import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "prepare-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a few lines of plain JavaScript say, run in this checkout. */
async function say(source: string, variables: Record<string, string> = {}): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = { NODE_ENV: "test", PATH, HOME, ...variables } as const;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", source], { env });
  return stdout.trim();
}

describe("a command's environment", () => {
  const noProxy = (variables: Record<string, string>) =>
    say(
      `const { prepare } = await import("./scripts/support/prepare.mjs");
       const { env } = await prepare(process.cwd());
       console.log(JSON.stringify([env.NO_PROXY, env.no_proxy]));`,
      variables,
    ).then(JSON.parse);

  it("has Node trust what the system trusts, unless the person says otherwise", async () => {
    const trust = (variables: Record<string, string>) =>
      say(
        `const { prepare } = await import("./scripts/support/prepare.mjs");
         console.log((await prepare(process.cwd())).env.NODE_USE_SYSTEM_CA);`,
        variables,
      );
    expect(await trust({})).toBe("1");
    expect(await trust({ NODE_USE_SYSTEM_CA: "0" })).toBe("0");
  });

  it("has npm find the machine's settings, which it would look for beside a Node of ours", async () => {
    const settings = (variables: Record<string, string>) =>
      say(
        `const { npmSettingsOfMachine } = await import("./scripts/support/prepare.mjs");
         console.log(JSON.stringify(npmSettingsOfMachine()));`,
        variables,
      ).then(JSON.parse);
    writeFileSync(join(folder, "npm"), '#!/bin/sh\n[ "$*" = "config get globalconfig" ] && echo /etc/machine-npmrc\n', {
      mode: 0o755,
    });
    const PATH = `${folder}:${process.env.PATH}`;
    expect(await settings({ PATH })).toEqual({ npm_config_globalconfig: "/etc/machine-npmrc" });
    expect(await settings({ PATH: join(folder, "nowhere") })).toEqual({});
    expect(await settings({ PATH, npm_config_globalconfig: "/etc/npmrc" })).toEqual({});
  });

  it("leads past a company's proxy to the parts of the service on this machine", async () => {
    const own = "localhost,127.0.0.1,::1";
    expect(await noProxy({ NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://proxy.example:8080" })).toEqual([own, own]);
    const added = `corp.example,${own}`;
    expect(await noProxy({ NO_PROXY: "corp.example" })).toEqual([added, added]);
    expect(await noProxy({ no_proxy: "*" })).toEqual(["*", "*"]);
  });
});

describe("two installs at once", () => {
  const script = JSON.stringify(resolve("scripts/support/setup-lock.mjs"));
  const work = (path: string) =>
    say(
      `const { withSetupLock } = await import("node:url").then(({ pathToFileURL }) => import(pathToFileURL(${script}).href));
       const { appendFileSync } = await import("node:fs");
       await withSetupLock(${JSON.stringify(path)}, async () => {
         appendFileSync(${JSON.stringify(`${path}.log`)}, "in ");
         await new Promise((resolve) => setTimeout(resolve, 100));
         appendFileSync(${JSON.stringify(`${path}.log`)}, "out ");
       });`,
    );

  it("go one after the other, and leave nothing behind", async () => {
    const path = join(folder, "setup.lock");
    await Promise.all([work(path), work(path), work(path)]);
    expect(readFileSync(`${path}.log`, "utf8")).toBe("in out in out in out ");
    expect(existsSync(path)).toBe(false);
  });

  it("wait for nobody who was killed", async () => {
    const path = join(folder, "left.lock");
    writeFileSync(path, String(process.pid));
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(path, longAgo, longAgo);
    await work(path);
    expect(existsSync(path)).toBe(false);
  });

  it("say why there can be none, and do not wait for it", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(work(join(folder, "file", "setup.lock"))).rejects.toThrow(/ENOTDIR|EEXIST|ENOENT/);
  });
});
