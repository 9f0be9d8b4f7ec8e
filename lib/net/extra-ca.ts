import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { SettingsError } from "@/lib/env";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * Reads the file that OUTBOUND_EXTRA_CA_FILE names.
 * @returns what it holds, as PEM
 * @throws SettingsError when it cannot be read, holds no certificate or a damaged one
 */
export function readExtraCa(file: string): string {
  const pem = read(file);
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) refuse(`${file} holds no certificate in PEM`);
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch {
      refuse(`certificate ${index + 1} in ${file} is damaged`);
    }
  }
  return pem;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    return refuse(`${file} cannot be read (${(cause as NodeJS.ErrnoException).code ?? cause})`);
  }
}

function refuse(what: string): never {
  throw new SettingsError([`OUTBOUND_EXTRA_CA_FILE: ${what}. Set it right or leave it out.`]);
}
