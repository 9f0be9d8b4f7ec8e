import { STATUS_CODES } from "node:http";

/** Time for the client to read the answer: closing with unread bytes takes it away. */
const CLOSE_AFTER_MS = 1_000;

/** @type {WeakSet<import("node:stream").Duplex>} */
const refused = new WeakSet();

/**
 * Answers what is no call on its connection and closes that, as node does by itself, but with an answer of ours.
 * @param {Error & { code?: string }} error
 * @param {import("node:stream").Duplex & { _httpMessage?: import("node:http").ServerResponse | null }} socket
 * @param {(fault: string | undefined) => { status: number, headers: Record<string, string>, body: string }} refuse
 */
export function refuseSocket(error, socket, refuse) {
  // What still comes is refused with it.
  if (refused.has(socket)) return;
  refused.add(socket);
  // An answer that has begun must not get another one into it.
  if (!socket.writable || error.code === "ECONNRESET" || socket._httpMessage?.headersSent) {
    socket.destroy(error);
    return;
  }
  const { status, headers, body } = refuse(error.code);
  const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(body), connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}
