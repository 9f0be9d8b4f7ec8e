import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepsEncryptionKey, loadSecrets, openDataDir } from "@/scripts/support/data-dir";
import { writePrivateFile } from "@/scripts/support/private-file";

const NOBODY = 65_534;

describe("openDataDir", () => {
  it("makes the directories above it too, for their owner alone", () => {
    const parent = mkdtempSync(join(tmpdir(), "service-data-"));
    const dataDir = join(parent, "above", "data");
    openDataDir(dataDir);
    openDataDir(dataDir);
    expect([join(parent, "above"), dataDir].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    writeFileSync(join(dataDir, "secrets.json"), "{");
    expect(() => loadSecrets(dataDir)).toThrow(
      /secrets\.json is damaged: it is not JSON\. Restore it from a back-up: /,
    );
    // As with a full disk, on which the system names no file.
    const secrets = join(dataDir, "gone", "secrets.json");
    expect(() => writePrivateFile(secrets, "{}")).toThrow(`${secrets} cannot be written (ENOENT). See that its disk`);
  });

  it("keeps the keys that the first start made, and those that were there before it", () => {
    const [fresh, older] = [0, 1].map(() => mkdtempSync(join(tmpdir(), "service-data-")));
    const made = loadSecrets(fresh ?? "");
    expect(new Set(Object.values(made)).size).toBe(3);
    expect(Buffer.from(made.encryptionKey, "base64")).toHaveLength(32);
    expect(loadSecrets(fresh ?? "")).toEqual(made);
    expect(statSync(join(fresh ?? "", "secrets.json")).mode & 0o777).toBe(0o600);

    const kept = { encryptionKey: made.encryptionKey, postgresPassword: "of before" };
    writeFileSync(join(older ?? "", "secrets.json"), JSON.stringify(kept));
    const completed = loadSecrets(older ?? "");
    expect(completed).toEqual({ ...kept, authSecret: expect.any(String) });
    expect(loadSecrets(older ?? "")).toEqual(completed);
  });

  it("keeps no key of its own beside one that comes from elsewhere, and then the one that it makes", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "service-data-"));
    const given = loadSecrets(dataDir, "a key from elsewhere");
    expect(given.encryptionKey).toBe("a key from elsewhere");
    expect(keepsEncryptionKey(dataDir)).toBe(false);
    const own = loadSecrets(dataDir);
    expect(own).toEqual({ ...given, encryptionKey: expect.not.stringMatching(given.encryptionKey) });
    expect(loadSecrets(dataDir, "a key from elsewhere")).toEqual(own);
  });

  it("names the directory and what to do when it is there and cannot be written", () => {
    const parent = mkdtempSync(join(tmpdir(), "service-data-"));
    const dataDir = join(parent, "data");
    mkdirSync(dataDir, { mode: 0o500 });
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      // Root may write everywhere: this process, which is this file's alone, becomes somebody else for good.
      chownSync(parent, NOBODY, NOBODY);
      process.setuid?.(NOBODY);
    }
    const advice = isRoot ? "It belongs to root: start as that user" : "Set it to a directory that can be written";
    expect(() => openDataDir(dataDir)).toThrow(`DATA_DIR: ${dataDir} cannot be used (EACCES). ${advice}`);
    if (!isRoot) chmodSync(dataDir, 0o700);
    rmdirSync(dataDir);
    writeFileSync(dataDir, "");
    expect(() => openDataDir(dataDir)).toThrow(`DATA_DIR: ${dataDir} cannot be used (EEXIST). Set it to`);
  });
});
