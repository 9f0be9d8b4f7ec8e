import type { CoverageEntry } from "@/e2e/support/record-coverage";
import { errorCodesOf, successResponsesOf } from "@/lib/contracts/describe-endpoint";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { ERROR_CODES, type ErrorCode } from "@/lib/domain/errors";

/** One answer that the documents promise, and the tests that saw it. */
export interface CoverageRow {
  /** "POST /chat" */
  operation: string;
  status: number;
  /** Of an error. */
  code?: ErrorCode;
  tests: string[];
}

/**
 * Nothing that a client can send brings these about in a service that works; lib/http/endpoint.test.ts holds their
 * answer, which is the same for every endpoint.
 */
const UNREACHABLE: readonly ErrorCode[] = ["INTERNAL_ERROR"];

/** Every endpoint × every status and code that its definition documents, in the documents' order. */
export function makeCoverageRows(entries: readonly CoverageEntry[]): CoverageRow[] {
  const seen = Map.groupBy(entries, keyOf);
  const documented = ENDPOINTS.flatMap((definition) => {
    const operation = endpointName(definition);
    return [
      ...successResponsesOf(definition).map(({ status }) => ({ operation, status })),
      ...errorCodesOf(definition).map((code) => ({ operation, status: ERROR_CODES[code].status, code })),
    ];
  });
  return documented.map((row) => ({
    ...row,
    tests: [...new Set(seen.get(keyOf(row))?.map(({ test }) => test))].sort(),
  }));
}

function keyOf({ operation, status, code }: Omit<CoverageEntry, "test">): string {
  return `${operation} ${status} ${code ?? ""}`;
}

/** What no test saw although one could. */
export function findUnseen(rows: readonly CoverageRow[]): string[] {
  return rows
    .filter(({ tests, code }) => tests.length === 0 && !(code && UNREACHABLE.includes(code)))
    .map(({ operation, status, code = "" }) => `${operation} ${status} ${code}`.trimEnd());
}

/** Endpoints × statuses: how many tests saw each; `-` where the endpoint does not document it, `·` for the unreachable. */
export function formatCoverageTable(rows: readonly CoverageRow[]): string {
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  const cellOf = (own: CoverageRow[], status: number) => {
    const ofStatus = own.filter((row) => row.status === status);
    if (ofStatus.length === 0) return "-";
    const tests = new Set(ofStatus.flatMap((row) => row.tests));
    const isUnreachable = ofStatus.every(({ code }) => code && UNREACHABLE.includes(code));
    return tests.size === 0 && isUnreachable ? "·" : String(tests.size);
  };
  const lines = [...Map.groupBy(rows, ({ operation }) => operation)].map(([operation, own]) => [
    operation,
    ...statuses.map((status) => cellOf(own, status)),
  ]);
  const table = [["endpoint", ...statuses.map(String)], ...lines];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  return table
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .join("\n");
}
