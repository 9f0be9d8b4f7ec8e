import { isIP, type LookupFunction, type TcpNetConnectOpts } from "node:net";
import { type ConnectionOptions, connect as connectTls, type SecureContext, type TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import { isForbiddenAddress } from "@/lib/domain/address-policy";
import { bareHost, isAllowedHost } from "@/lib/domain/receiver-url";
import { EgressFailure, errorCode } from "@/lib/net/egress-failure";
import type { ResolveHost } from "@/lib/net/resolve-host";
import { skipInterim } from "@/lib/net/skip-interim";
import { withDeadline } from "@/lib/net/with-deadline";

export interface CheckedConnectorOptions {
  allowedHosts: readonly string[];
  secureContext: SecureContext;
  timeoutMs: number;
  /** For every name but the allowed ones. */
  resolvePublic: ResolveHost;
  /** For the allowed names. */
  resolveAllowed: ResolveHost;
}

const HTTPS_PORT = 443;
/**
 * How long each address but the last is waited for. Node's own 250 ms are less than a far receiver takes, or than the second that
 * passes until a lost first packet is sent again: it would be left for one that is not there, and not be asked once more.
 */
const ADDRESS_TRY_MS = 1_500;

/** Of the time for all: who hears nothing by then learns that no connection came about, before he would learn that no response did. */
const CONNECTING_SHARE = 0.95;

/**
 * How the egress client opens connections: it resolves the name once, checks every address that came, and connects
 * to those and no others. There is no second look-up that could answer differently (contract §8).
 */
export function checkedConnector(options: CheckedConnectorOptions): buildConnector.connector {
  return ({ host, hostname, port }, callback) => {
    const url = new URL(`https://${host ?? hostname}`);
    openSocket(url, Number(port) || HTTPS_PORT, options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function openSocket(url: URL, port: number, options: CheckedConnectorOptions): Promise<TLSSocket> {
  const startedAt = performance.now();
  const isAllowed = isAllowedHost(url, options.allowedHosts);
  const host = bareHost(url);
  const resolving = resolveAddresses(host, isAllowed ? options.resolveAllowed : options.resolvePublic);
  const addresses = await withDeadline(resolving, options.timeoutMs);
  const isRefused = (address: string) => !isAllowed && isForbiddenAddress(address);
  // One forbidden address among good ones is a trap or a mistake: neither is worth a try.
  if (addresses.some(isRefused)) throw new EgressFailure("ADDRESS_NOT_ALLOWED");
  const leftMs = options.timeoutMs * CONNECTING_SHARE - (performance.now() - startedAt);
  const socket = await connectPinned(host, port, addresses, { ...options, timeoutMs: Math.max(0, leftMs) });
  if (isRefused(socket.remoteAddress ?? "")) {
    socket.destroy();
    throw new EgressFailure("ADDRESS_NOT_ALLOWED");
  }
  skipInterim(socket);
  keepTlsReason(socket);
  return socket;
}

async function resolveAddresses(host: string, resolve: ResolveHost): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new EgressFailure("NAME_NOT_RESOLVED", { cause });
  });
  if (addresses.length === 0) throw new EgressFailure("NAME_NOT_RESOLVED");
  return addresses;
}

/** Connects to one of the given addresses, trying the next where one does not answer, and completes the handshake. */
function connectPinned(
  host: string,
  port: number,
  addresses: string[],
  { secureContext, timeoutMs }: CheckedConnectorOptions,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    // The types of TLS leave out what it hands on to TCP.
    const options: ConnectionOptions & TcpNetConnectOpts = {
      host,
      port,
      lookup: answerWith(addresses),
      autoSelectFamily: true,
      // However many are dead, the last has its time as well.
      autoSelectFamilyAttemptTimeout: Math.min(ADDRESS_TRY_MS, Math.floor(timeoutMs / (addresses.length + 1))),
      secureContext,
      // A server name is never an address (RFC 6066); the certificate is then checked against `host`.
      servername: isIP(host) === 0 ? host : "",
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
    };
    const socket = connectTls(options);
    const giveUp = () => socket.destroy(new EgressFailure(isConnected ? "TIMEOUT" : "CONNECTION_FAILED"));
    const timer = setTimeout(giveUp, timeoutMs);
    socket.setNoDelay(true);
    socket.once("connect", () => {
      isConnected = true;
    });
    socket.once("secureConnect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.on("error", (error) => {
      clearTimeout(timer);
      reject(connectFailure(error, isConnected));
    });
  });
}

/**
 * In TLS 1.3 a receiver looks at its caller's certificate once the caller has taken the connection for made. The HTTP client would put
 * the end that follows in the place of what it says then.
 */
function keepTlsReason(socket: TLSSocket): void {
  socket.once("error", (error) => {
    if (errorCode(error)?.startsWith("ERR_SSL_")) socket.removeAllListeners("end");
  });
}

function answerWith(addresses: string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    const [first] = entries;
    if (all) callback(null, entries);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function connectFailure(error: Error, isConnected: boolean): EgressFailure {
  if (error instanceof EgressFailure) return error;
  if (!isConnected) return new EgressFailure("CONNECTION_FAILED", { cause: error });
  return new EgressFailure("TLS_FAILED", { reason: errorCode(error) ?? "handshake failed", cause: error });
}
