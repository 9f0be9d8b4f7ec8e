import { type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** Certificates without any program but Node: X.509 version 3 (RFC 5280 §4.1), signed with ECDSA and SHA-256. */

export interface CertificateRequest {
  issuer: { name: string; privateKey: KeyObject };
  subject: { name: string; publicKey: KeyObject };
  from: Date;
  until: Date;
  /** Names and IPv4 addresses that it is for; leave out for an authority. */
  names?: readonly string[];
  /** Whether it may sign others. */
  isAuthority?: boolean;
}

const OID = {
  ecdsaWithSha256: "2a8648ce3d040302",
  commonName: "550403",
  keyUsage: "551d0f",
  alternativeNames: "551d11",
  basicConstraints: "551d13",
};
/** keyCertSign and cRLSign: bits 5 and 6; the first byte counts the unused bits. */
const AUTHORITY_KEY_USAGE = Buffer.from([1, 0x06]);
const TRUE = Buffer.from([0xff]);
const VERSION_3 = Buffer.from([2]);

/** Signs a certificate; returns it as PEM. */
export function signCertificate({ issuer, subject, from, until, ...rest }: CertificateRequest): string {
  const algorithm = der(0x30, oid(OID.ecdsaWithSha256));
  const body = der(
    0x30,
    der(0xa0, der(0x02, VERSION_3)),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    distinguishedName(issuer.name),
    der(0x30, utcTime(from), utcTime(until)),
    distinguishedName(subject.name),
    subject.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, ...extensions(rest))),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, issuer.privateKey));
  const base64 = der(0x30, body, algorithm, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

function extensions({ names = [], isAuthority = false }: Pick<CertificateRequest, "names" | "isAuthority">): Buffer[] {
  const found: Buffer[] = [];
  if (isAuthority) {
    found.push(extension(OID.basicConstraints, der(0x30, der(0x01, TRUE)), true));
    found.push(extension(OID.keyUsage, der(0x03, AUTHORITY_KEY_USAGE), true));
  }
  if (names.length > 0) found.push(extension(OID.alternativeNames, der(0x30, ...names.map(alternativeName))));
  return found;
}

/** A DER value: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...derLength(body.length)]), body]);
}

/** In as few bytes as it takes: Go and others refuse a longer form, which OpenSSL takes. */
function derLength(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));

const distinguishedName = (name: string) =>
  der(0x30, der(0x31, der(0x30, oid(OID.commonName), der(0x0c, Buffer.from(name)))));

const extension = (id: string, value: Buffer, isCritical = false) =>
  der(0x30, oid(id), ...(isCritical ? [der(0x01, TRUE)] : []), der(0x04, value));

const alternativeName = (name: string) =>
  isIP(name) === 4 ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name));

/** YYMMDDhhmmssZ */
const utcTime = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
