import { generateKeyPairSync } from "node:crypto";
import { signCertificate } from "@/scripts/support/x509";

/** A certificate for https://localhost that signs itself: whoever trusts it trusts nothing else. */
export interface LocalCertificate {
  certPem: string;
  keyPem: string;
}

const VALID_DAYS = 365;
const DAY_MS = 86_400_000;

/** Makes a new key and its certificate, for `localhost` and 127.0.0.1. */
export function makeLocalCertificate(): LocalCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const from = Date.now() - DAY_MS;
  const certPem = signCertificate({
    issuer: { name: "localhost", privateKey },
    subject: { name: "localhost", publicKey },
    from: new Date(from),
    until: new Date(from + VALID_DAYS * DAY_MS),
    names: ["localhost", "127.0.0.1"],
  });
  return { certPem, keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}
