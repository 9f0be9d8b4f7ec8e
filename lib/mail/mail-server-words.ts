/**
 * Why a mail server did not take a mail, and what to set where that does not say it. Without the fields of the error, which name
 * the receiver too: errors are logged.
 */
export function mailServerWords(error: unknown): string {
  const words = error instanceof Error ? wordsOf(error).trim() : String(error);
  const hint = HINTS.find(([sign]) => sign.test(words))?.[1];
  return hint === undefined ? words : `${words} (${hint})`;
}

/** A name with several addresses has one error for all of them, without words of its own. */
function wordsOf(error: Error): string {
  if (!(error instanceof AggregateError) || error.message !== "") return error.message;
  return error.errors.map((each: unknown) => (each instanceof Error ? each.message : String(each))).join("; ");
}

const HINTS: readonly (readonly [sign: RegExp, hint: string])[] = [
  [/wrong version number/i, "no TLS from the start at this port: smtp:// instead of smtps://"],
  [/greeting never received/i, "a port for TLS from the start, such as 465, wants smtps:// instead of smtp://"],
  [
    /upgrading connection with STARTTLS/i,
    "a password goes behind TLS alone, unless ?requireTLS=false ends the address",
  ],
  [/self-signed certificate|unable to (?:get|verify)/i, "NODE_EXTRA_CA_CERTS names a file with an authority to trust"],
];
