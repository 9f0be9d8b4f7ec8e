import { domainToASCII, domainToUnicode } from "node:url";

/**
 * The one spelling of an e-mail address: in lower case, its domain as name servers know it. Of "ann@bücher.example" one
 * browser sends that and another "ann@xn--bcher-kva.example".
 */
export function spellEmail(email: string): string {
  const lower = email.trim().toLowerCase();
  return withDomain(lower, domainToASCII);
}

/** The spellings under which an address may be kept, the given one first: those kept before had the one that was sent. */
export function emailSpellings(email: string): string[] {
  const lower = email.trim().toLowerCase();
  return [...new Set([lower, spellEmail(lower), withDomain(lower, domainToUnicode)])];
}

/** Others have one spelling. What ends a host's name in a URL is in none: the respelling would drop what comes after it. */
const RESPELT = /^(?=.*(?:[^\0-\x7f]|xn--))[^\s/\\?#%:@]+$/;

/** An address with another spelling of its domain; as it is where that has no other. */
function withDomain(email: string, respell: (domain: string) => string): string {
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at);
  return at > 0 && RESPELT.test(domain) ? email.slice(0, at) + (respell(domain) || domain) : email;
}
