const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DURATION = /^(\d+(\.\d+)?(ms|[smhdw]))*$/;

/**
 * When a sleep ends: the SDK sends a time string ("1h30m", empty for none) or an ISO date.
 * @returns milliseconds from `now`, never negative; undefined when it is neither.
 */
export function parseSleep(target: string, now = Date.now()): number | undefined {
  if (DURATION.test(target)) {
    const parts = target.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g);
    return Math.ceil(
      [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ""] ?? 0), 0),
    );
  }
  return untilDate(target, now);
}

/**
 * The wait that a `Retry-After` header asks for: whole seconds, or a date.
 * @returns milliseconds from `now`, never negative; undefined when absent or unreadable.
 */
export function parseRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  return /^\d+(\.\d+)?$/.test(header) ? Math.ceil(Number(header) * 1000) : untilDate(header, now);
}

function untilDate(text: string, now: number): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
