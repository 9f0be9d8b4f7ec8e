import type { StageCount } from "@/scripts/support/stage-count";

const GRAVE = new Set(["high", "critical"]);

interface Vulnerability {
  severity: string;
  /** Names of packages that bring it in, and advisories. */
  via: (string | { title: string; url: string })[];
}

interface AuditReport {
  auditReportVersion?: number;
  vulnerabilities?: Record<string, Vulnerability>;
}

/**
 * Judges what `npm audit --json` said: a package with a grave fault fails, one with a lesser fault is told. Without an
 * answer of the registry nothing was checked, which is said and is neither passed nor failed.
 */
export function readAuditReport(text: string | undefined): StageCount {
  const { auditReportVersion, vulnerabilities } = parse(text);
  if (auditReportVersion === undefined || vulnerabilities === undefined) {
    return { passed: 0, failed: 0, remark: "Not checked: the registry gave no answer." };
  }
  const found = Object.entries(vulnerabilities);
  const grave = found.filter(([, { severity }]) => GRAVE.has(severity));
  const remark = found.length > 0 ? { remark: `Known faults: ${found.map(describe).join("; ")}.` } : {};
  return { passed: grave.length > 0 ? 0 : 1, failed: grave.length, ...remark };
}

function parse(text: string | undefined): AuditReport {
  try {
    return JSON.parse(text ?? "") as AuditReport;
  } catch {
    return {};
  }
}

function describe([name, { severity, via }]: [string, Vulnerability]): string {
  const reasons = via.map((reason) => (typeof reason === "string" ? `through ${reason}` : reason.url));
  return `${name} (${severity}: ${reasons.join(", ")})`;
}
