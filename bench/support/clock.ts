/** Milliseconds since the epoch with fractions: stamps of processes on one machine can be compared. */
export function stampMs(): number {
  return performance.timeOrigin + performance.now();
}
