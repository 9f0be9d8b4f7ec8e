import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate for https://localhost that signs itself: whoever trusts it trusts nothing else. */
export interface LocalCertificate {
  certPem: string;
  keyPem: string;
}

const VALID_DAYS = 365;
const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = Buffer.from("2a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("550403", "hex");
const ALTERNATIVE_NAMES = Buffer.from("551d11", "hex");

/** Makes a new key and its certificate, X.509 version 3 (RFC 5280 §4.1), for `localhost` and 127.0.0.1. */
export function makeLocalCertificate(): LocalCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(value(0x06, ECDSA_WITH_SHA256));
  const name = sequence(value(0x31, sequence(value(0x06, COMMON_NAME), value(0x0c, Buffer.from("localhost")))));
  const from = Date.now() - DAY_MS;
  const names = sequence(value(0x82, Buffer.from("localhost")), value(0x87, Buffer.from([127, 0, 0, 1])));
  const body = sequence(
    value(0xa0, value(0x02, Buffer.from([2]))),
    value(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(from), time(from + VALID_DAYS * DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    value(0xa3, sequence(sequence(value(0x06, ALTERNATIVE_NAMES), value(0x04, names)))),
  );
  const signature = value(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const base64 = sequence(body, algorithm, signature)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return {
    certPem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Tag, length, content. */
function value(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

function sequence(...content: Buffer[]): Buffer {
  return value(0x30, ...content);
}

/** UTCTime: YYMMDDhhmmssZ */
function time(ms: number): Buffer {
  return value(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
}
