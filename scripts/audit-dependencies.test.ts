import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readAuditReport } from "@/scripts/support/read-audit-report";

const NPM_MS = 120_000;

let folder: string;
let registry: Server | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "audit-"));
});

afterEach(() => registry?.close());

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the audit against a registry that knows these faults, or answers with that status. */
async function auditWith(answer: object | number): Promise<ReturnType<typeof readAuditReport>> {
  registry = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(typeof answer === "number" ? answer : 200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(request.method === "GET" ? packageOf(request.url ?? "") : answer));
    });
  });
  await new Promise<void>((resolve) => registry?.listen(0, "127.0.0.1", resolve));
  const { port } = registry.address() as AddressInfo;
  const report = join(folder, "audit.json");
  await promisify(execFile)(process.execPath, ["scripts/audit-dependencies.mjs", report, String(NPM_MS / 1_000)], {
    env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: folder },
  });
  return readAuditReport(readFileSync(report, "utf8"));
}

const NAME = "qrcode";

/** What a registry says of a package, asked which of its versions are meant: those of the lockfile. */
function packageOf(path: string) {
  const name = decodeURIComponent(path.slice(1));
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { version: string; dependencies?: Record<string, string> }>;
  };
  const installed = Object.entries(packages).filter(([place]) => place.endsWith(`node_modules/${name}`));
  const versions = installed.map(([, { version, dependencies }]) => [version, { name, version, dependencies }]);
  return { name, "dist-tags": { latest: installed[0]?.[1].version }, versions: Object.fromEntries(versions) };
}

const fault = (severity: string) => [
  { id: 1, url: "https://advisories.example/1", title: "A fault", severity, vulnerable_versions: "*" },
];

describe("the audit of dependencies", () => {
  it(
    "fails for a grave fault that the registry really reports, and names it",
    async () => {
      const { passed, failed, remark } = await auditWith({ [NAME]: fault("high") });
      expect([passed, failed > 0]).toEqual([0, true]);
      expect(remark).toContain(`${NAME} (high: https://advisories.example/1)`);
    },
    NPM_MS,
  );

  it(
    "says that nothing was checked when the registry does not answer, and fails nothing",
    async () => {
      expect(await auditWith(503)).toMatchObject({
        passed: 0,
        failed: 0,
        remark: expect.stringMatching(/^Not checked/),
      });
    },
    NPM_MS,
  );

  it("passes when nothing is known, tells of lesser faults, and takes a cut-off answer for none", () => {
    expect(readAuditReport('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({ passed: 1, failed: 0 });
    const report = { auditReportVersion: 2, vulnerabilities: { a: { severity: "moderate", via: ["b"] } } };
    expect(readAuditReport(JSON.stringify(report))).toEqual({
      passed: 1,
      failed: 0,
      remark: "Known faults: a (moderate: through b).",
    });
    for (const text of [undefined, "", '{"auditReportVersion":2,"vuln', "{}"]) {
      expect(readAuditReport(text)).toMatchObject({ passed: 0, failed: 0 });
    }
  });
});
