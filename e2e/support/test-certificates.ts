import { generateKeyPairSync, randomBytes } from "node:crypto";
import { signCertificate } from "@/scripts/support/x509";

/** Certificates for local HTTPS receivers, made on the fly: an authority of its own and one server certificate. */
export interface TestCertificates {
  /** What a client has to trust (OUTBOUND_EXTRA_CA_FILE). */
  caPem: string;
  certPem: string;
  keyPem: string;
}

export interface CertificateOptions {
  /** Names and IPv4 addresses the certificate is for. */
  names?: readonly string[];
  isExpired?: boolean;
}

const DAY_MS = 86_400_000;

/** Makes an authority and a certificate that it signed. Valid from yesterday for 30 days, unless expired. */
export function createTestCertificates(options: CertificateOptions = {}): TestCertificates {
  const { names = ["localhost", "127.0.0.1"], isExpired = false } = options;
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = { name: `Test authority ${randomBytes(4).toString("hex")}`, privateKey: authority.privateKey };
  const start = Date.now() - (isExpired ? 31 : 1) * DAY_MS;
  const validity = { from: new Date(start), until: new Date(start + 30 * DAY_MS) };
  const caPem = signCertificate({
    issuer,
    subject: { name: issuer.name, publicKey: authority.publicKey },
    ...validity,
    isAuthority: true,
  });
  const certPem = signCertificate({
    issuer,
    subject: { name: names[0] ?? "localhost", publicKey: server.publicKey },
    ...validity,
    names,
  });
  return { caPem, certPem, keyPem: server.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}
