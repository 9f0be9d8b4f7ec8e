import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { prepareLocalReceivers, readLocalCertificate } from "@/scripts/support/callback-receiver";

const YEAR_MS = 365 * 86_400_000;

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "service-receiver-"));
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true });
});

describe("the certificate of local receivers", () => {
  it("stays the same, so that the service that runs goes on trusting it", () => {
    prepareLocalReceivers(dataDir, ["localhost"]);
    const first = readLocalCertificate(dataDir);
    prepareLocalReceivers(dataDir, ["localhost"]);
    expect(readLocalCertificate(dataDir)).toEqual(first);
  });

  it("is made anew when its year is over: nothing would connect to a receiver that has it", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - YEAR_MS });
    prepareLocalReceivers(dataDir, ["localhost"]);
    const ended = readLocalCertificate(dataDir);
    vi.useRealTimers();
    prepareLocalReceivers(dataDir, ["localhost"]);
    expect(readLocalCertificate(dataDir).certPem).not.toBe(ended.certPem);
  });

  it("says each length in as few bytes as it takes: receivers in Go take no other", () => {
    prepareLocalReceivers(dataDir, ["localhost"]);
    const { raw } = new X509Certificate(readLocalCertificate(dataDir).certPem);
    const lengths = lengthsIn(raw);
    expect(lengths.some(({ length }) => length > 0x7f && length <= 0xff)).toBe(true);
    for (const { length, bytes } of lengths) expect([length, bytes]).toEqual([length, bytesFor(length)]);
  });
});

/** The lengths of all that DER holds, and how many bytes each takes. */
function lengthsIn(der: Buffer): { length: number; bytes: number }[] {
  if (der.length === 0) return [];
  const [tag = 0, first = 0] = der;
  const bytes = first < 0x80 ? 1 : 1 + (first & 0x7f);
  const length = bytes === 1 ? first : der.readUIntBE(2, bytes - 1);
  const end = 1 + bytes + length;
  const isConstructed = (tag & 0x20) !== 0;
  const within = isConstructed ? lengthsIn(der.subarray(1 + bytes, end)) : [];
  return [{ length, bytes }, ...within, ...lengthsIn(der.subarray(end))];
}

const bytesFor = (length: number) => (length < 0x80 ? 1 : length < 0x100 ? 2 : 3);
