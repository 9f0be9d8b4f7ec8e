import { cookies } from "next/headers";

/** Longer than any name of a zone. */
const MAX_CHARACTERS = 64;

/**
 * The reader's zone, as their browser has told it ("Europe/Berlin"); null when it has not, or told what is none.
 * @param name of the cookie
 */
export async function readZone(name: string): Promise<string | null> {
  const zone = (await cookies()).get(name)?.value;
  return zone !== undefined && isZone(zone) ? zone : null;
}

/** Whether times can be written in it. */
export function isZone(zone: string): boolean {
  if (zone === "" || zone.length > MAX_CHARACTERS) return false;
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
