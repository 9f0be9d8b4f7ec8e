import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

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
const OID = {
  ecdsaWithSha256: "2a8648ce3d040302",
  commonName: "550403",
  keyUsage: "551d0f",
  alternativeNames: "551d11",
  basicConstraints: "551d13",
};
/** keyCertSign and cRLSign: bits 5 and 6; the first byte counts the unused bits. */
const CA_KEY_USAGE = Buffer.from([1, 0x06]);

/** Makes an authority and a certificate that it signed. Valid from yesterday for 30 days, unless expired. */
export function createTestCertificates(options: CertificateOptions = {}): TestCertificates {
  const { names = ["localhost", "127.0.0.1"], isExpired = false } = options;
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = { name: `Test authority ${randomBytes(4).toString("hex")}`, key: authority.privateKey };
  const start = Date.now() - (isExpired ? 31 : 1) * DAY_MS;
  const validity = [new Date(start), new Date(start + 30 * DAY_MS)];
  const ca = certificate(issuer, issuer.name, authority.publicKey, validity, [
    extension(OID.basicConstraints, der(0x30, der(0x01, Buffer.from([0xff]))), true),
    extension(OID.keyUsage, der(0x03, CA_KEY_USAGE), true),
  ]);
  const cert = certificate(issuer, names[0] ?? "localhost", server.publicKey, validity, [
    extension(OID.alternativeNames, der(0x30, ...names.map(alternativeName))),
  ]);
  const keyPem = server.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { caPem: pem(ca), certPem: pem(cert), keyPem };
}

/** X.509 version 3 (RFC 5280 §4.1), signed with ECDSA and SHA-256. */
function certificate(
  issuer: { name: string; key: KeyObject },
  subject: string,
  publicKey: KeyObject,
  validity: Date[],
  extensions: Buffer[],
): Buffer {
  const algorithm = der(0x30, oid(OID.ecdsaWithSha256));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    distinguishedName(issuer.name),
    der(0x30, ...validity.map((date) => der(0x17, Buffer.from(utcTime(date))))),
    distinguishedName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, ...extensions)),
  );
  const signature = sign("sha256", body, issuer.key);
  return der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature));
}

/** A DER value: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from([body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag, 0x82]), length, body]);
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));

const distinguishedName = (name: string) =>
  der(0x30, der(0x31, der(0x30, oid(OID.commonName), der(0x0c, Buffer.from(name)))));

const extension = (id: string, value: Buffer, isCritical = false) =>
  der(0x30, oid(id), ...(isCritical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));

const alternativeName = (name: string) =>
  isIP(name) === 4 ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name));

/** YYMMDDhhmmssZ */
const utcTime = (date: Date) => `${date.toISOString().replace(/\D/g, "").slice(2, 14)}Z`;

const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
