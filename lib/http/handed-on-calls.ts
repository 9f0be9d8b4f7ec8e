import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Calls that Next hands on to this server over the network: of an action that the page it is called on does not have, to one
 * that has it, and to the page that an action leads to. They come from this process, and for whoever called it.
 */

/** As lib/domain/client-ip.ts names it. */
const REMOTE_ADDRESS_HEADER = "x-service-remote-address";
const HANDED_ON_HEADER = "x-service-handed-on";
/** Nobody else knows it, so nobody else's call passes for one that is handed on. */
const ownSecret = randomBytes(32).toString("base64url");

/** Says where a call comes from, whatever a client wrote there: the socket's address, or that of the call before. */
export function nameSender({ headers, socket }: IncomingMessage): void {
  if (headers[HANDED_ON_HEADER] !== ownSecret) headers[REMOTE_ADDRESS_HEADER] = socket.remoteAddress;
  delete headers[HANDED_ON_HEADER];
}

/** Marks a call that Next is about to get: its headers go along with what it hands on. */
export function letHandOn({ headers }: IncomingMessage): void {
  headers[HANDED_ON_HEADER] = ownSecret;
}
