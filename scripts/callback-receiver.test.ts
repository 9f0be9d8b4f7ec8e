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
});
