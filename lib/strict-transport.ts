import { env } from "@/lib/env";

/** A year, for this host alone; scripts/support/strict-transport.mjs says the same for pages. */
const STRICT_TRANSPORT = "max-age=31536000";

/** Asks browsers to stay with https, where the service is reached by it. */
export function setStrictTransport(headers: Headers): void {
  if (env().APP_URL.startsWith("https:")) headers.set("Strict-Transport-Security", STRICT_TRANSPORT);
}
