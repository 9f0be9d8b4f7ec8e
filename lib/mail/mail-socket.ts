import { connect, isIP, type Socket } from "node:net";
import { lookupTogether } from "@/lib/lookup-together";

/** Where a mail server is, as its address says it. */
export interface MailServerPlace {
  host?: string | undefined;
  port?: number | string | undefined;
  /** With TLS from the start. */
  secure?: boolean | undefined;
}

/** A name's other addresses are tried when one says nothing for so long. */
const ADDRESS_TRY_MS = 3_000;

/**
 * A connection to a mail server, whose name the system looks up, its hosts file included. nodemailer by itself asks the name servers
 * first: what the hosts file says of a name they know never counts, and where they are silent not even `localhost` is found.
 * @throws Error when none comes about in time
 */
export function openMailSocket(
  { host = "localhost", port, secure }: MailServerPlace,
  timeoutMs: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isFound = isIP(host) !== 0;
    const socket = connect({
      host,
      // As nodemailer has it where the address says none.
      port: Number(port) || (secure ? 465 : 587),
      lookup: lookupTogether,
      autoSelectFamilyAttemptTimeout: ADDRESS_TRY_MS,
    });
    const timer = setTimeout(() => {
      socket.destroy(new Error(isFound ? "Connection timeout" : `The look-up of ${host} timed out`));
    }, timeoutMs);
    socket.once("lookup", () => {
      isFound = true;
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
