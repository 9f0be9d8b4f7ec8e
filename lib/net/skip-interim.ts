import type { Duplex } from "node:stream";

/**
 * Has a connection pass over interim responses, as RFC 9110 §15.2 asks of clients also for those that they did not want:
 * undici ends the connection at a 100, and what the receiver then answers would never be seen. One of a switch of protocols
 * (101) stays, to be refused. What follows a final response's first line is not looked at.
 */
export function skipInterim(socket: Duplex): void {
  const { read, write } = socket;
  let isAwaited = false;
  let held: Buffer = NOTHING;
  socket.write = ((...sent: Parameters<typeof write>) => {
    isAwaited = true;
    return write.apply(socket, sent);
  }) as typeof write;
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read.call(socket, size);
    if (chunk === null || !isAwaited) return chunk;
    const bytes = afterInterim(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
    const isOpen = mayBeInterim(bytes) && bytes.length <= MAX_HELD_BYTES;
    held = isOpen ? bytes : NOTHING;
    if (isOpen) return null;
    isAwaited = false;
    return bytes;
  };
}

const NOTHING = Buffer.alloc(0);
/** No longer than the headers of a response may be. */
const MAX_HELD_BYTES = 16 * 1024;
const PROTOCOL = "HTTP/1.";
const FIRST_LINE_BYTES = "HTTP/1.1 100".length;
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d$/;

function afterInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isInterim(rest)) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) break;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

/** Whether more has to come before it is plain what this begins. */
function mayBeInterim(bytes: Buffer): boolean {
  if (bytes.length < FIRST_LINE_BYTES) return PROTOCOL.startsWith(bytes.toString("latin1", 0, PROTOCOL.length));
  return isInterim(bytes);
}

function isInterim(bytes: Buffer): boolean {
  return INTERIM.test(bytes.toString("latin1", 0, FIRST_LINE_BYTES));
}
