/** A time as a row of the call log has it on its way into the table: by the steady clock of this process. */
export function receivedAt(time: Date): number {
  return performance.now() - (Date.now() - time.getTime());
}
