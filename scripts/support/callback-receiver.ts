import { createHmac, timingSafeEqual, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type LocalCertificate, makeLocalCertificate } from "@/scripts/support/local-certificate";
import { writePrivateFile } from "@/scripts/support/private-file";

/** A delivery as it arrived. */
export interface ReceivedDelivery {
  headers: Record<string, string>;
  /** The exact bytes; the signature is over them. */
  body: Buffer;
}

/** A receiver on https://localhost. */
export interface CallbackReceiver {
  url: string;
  /** The next delivery. */
  next(timeoutMs: number): Promise<ReceivedDelivery>;
  close(): void;
}

const HOST = "localhost";

/**
 * The certificate of local receivers, made when receivers on this machine are allowed, and anew when its year is over: the
 * service is told to trust it.
 * @returns the path of the PEM file for OUTBOUND_EXTRA_CA_FILE, or undefined when local receivers are not allowed
 */
export function prepareLocalReceivers(dataDir: string, allowedHosts: readonly string[]): string | undefined {
  if (!allowedHosts.includes(HOST)) return undefined;
  const { certFile, keyFile } = filesIn(dataDir);
  if (!existsSync(certFile) || !existsSync(keyFile) || hasEnded(certFile)) {
    const { certPem, keyPem } = makeLocalCertificate();
    writePrivateFile(keyFile, keyPem);
    writePrivateFile(certFile, certPem);
  }
  return certFile;
}

/** Nothing connects to a receiver with a certificate whose time is over. */
function hasEnded(certFile: string): boolean {
  return new X509Certificate(readFileSync(certFile)).validToDate < new Date();
}

/** That certificate and its key. */
export function readLocalCertificate(dataDir: string): LocalCertificate {
  const { certFile, keyFile } = filesIn(dataDir);
  return { certPem: readFileSync(certFile, "utf8"), keyPem: readFileSync(keyFile, "utf8") };
}

/** Starts a receiver with that certificate; it answers 200 to everything. */
export async function startCallbackReceiver(dataDir: string): Promise<CallbackReceiver> {
  const { certPem, keyPem } = readLocalCertificate(dataDir);
  const received: ReceivedDelivery[] = [];
  let wake = () => {};
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    void readDelivery(request).then((delivery) => {
      received.push(delivery);
      response.end("ok");
      wake();
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `https://${HOST}:${(server.address() as AddressInfo).port}/callback`,
    next: (timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error("No callback came in time.")), timeoutMs);
        wake = () => {
          const delivery = received.shift();
          if (!delivery) return;
          clearTimeout(timer);
          resolve(delivery);
        };
        wake();
      }),
    close: () => server.close(),
  };
}

/** Whether the delivery's signature is that of the secret (§6.3), compared in constant time. */
export function isSignedWith(secret: string, { headers, body }: ReceivedDelivery): boolean {
  const expected = Buffer.from(createHmac("sha256", secret).update(body).digest("hex"));
  const given = Buffer.from(headers["x-service-signature"] ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The whole request. */
export async function readDelivery(request: IncomingMessage): Promise<ReceivedDelivery> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { headers, body: Buffer.concat(chunks) };
}

function filesIn(dataDir: string): { certFile: string; keyFile: string } {
  return { certFile: join(dataDir, "local-receiver.pem"), keyFile: join(dataDir, "local-receiver-key.pem") };
}
