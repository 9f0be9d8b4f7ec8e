import { z } from "zod";
import { openSecretIfPossible, sealSecret } from "@/lib/services/people/sealed-secret";

/** Time to find an app and install it. What is left open longer was given up, and may have been seen by somebody else. */
const OFFER_MS = 30 * 60_000;

const offerSchema = z.object({ secret: z.string(), offeredAtMs: z.number() });

/** An authenticator's secret with the time when it was offered, as it is kept until a code of it comes. */
export function sealOffer(secret: string, nowMs: number): string {
  return sealSecret(JSON.stringify({ secret, offeredAtMs: nowMs } satisfies z.input<typeof offerSchema>));
}

/** The secret of an offer; null when its time is over, or was not kept yet when it was made, or no key opens it any more. */
export function openOffer(sealed: string, nowMs: number): string | null {
  const opened = openSecretIfPossible(sealed);
  const offer = offerSchema.safeParse(opened === null ? null : readJson(opened));
  if (!offer.success || nowMs - offer.data.offeredAtMs > OFFER_MS) return null;
  return offer.data.secret;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
