/**
 * The event after which a reader wants to go on (contract §5). `Last-Event-ID` counts before `?after=`: an EventSource comes
 * back to the address that it was opened with, and tells in the header what it has received since. What is not an event's id
 * was not sent by us.
 * @param after of the address, where it has one
 * @returns undefined: the stream begins at the turn's start
 */
export function readEventId({ headers }: Request, after?: number): number | undefined {
  const header = headers.get("last-event-id");
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : after;
}
