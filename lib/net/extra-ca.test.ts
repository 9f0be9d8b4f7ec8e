import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { readExtraCa } from "@/lib/net/extra-ca";

let folder: string;
const { caPem, certPem, keyPem } = createTestCertificates();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "service-ca-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): string {
  const file = join(folder, "ca.pem");
  writeFileSync(file, text);
  return file;
}

describe("readExtraCa", () => {
  it("takes a file of several certificates, with remarks between them, as it is", () => {
    const bundle = `# ours\n${caPem}\n# theirs\r\n${certPem.replaceAll("\n", "\r\n")}`;
    expect(readExtraCa(write(bundle))).toBe(bundle);
  });

  it.each([
    ["has nothing in it", "", "holds no certificate in PEM"],
    ["is a key", keyPem, "holds no certificate in PEM"],
    ["is cut off", caPem.slice(0, -40), "holds no certificate in PEM"],
    ["has a second one that is damaged", `${caPem}\n${certPem.replace("MII", "AAA")}`, "certificate 2 in"],
  ])("refuses a file that %s, in one line that names the setting", (_what, text, problem) => {
    const file = write(text);
    expect(() => readExtraCa(file)).toThrow(
      expect.objectContaining({ lines: [expect.stringMatching(/^OUTBOUND_EXTRA_CA_FILE: .+ leave it out\.$/)] }),
    );
    expect(() => readExtraCa(file)).toThrow(problem);
  });

  it.each([
    ["is not there", "nowhere.pem", "ENOENT"],
    ["is a folder", ".", "EISDIR"],
  ])("refuses a file that %s", (_what, name, code) => {
    expect(() => readExtraCa(join(folder, name))).toThrow(`cannot be read (${code})`);
  });
});
