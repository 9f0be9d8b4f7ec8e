/** Settings that are secret, that may have a password in an address, or whose wrong place has been named. */
const UNTOLD = /KEY|SECRET|TOKEN|URL|ORIGIN|_DEV$|^MODELS$|^HTTPS?_PROXY$/;
const MAX_TOLD_CHARACTERS = 40;

/**
 * What a wrong setting is, as the end of a sentence: it may come from another place than its reader looks at. Empty for what may
 * be secret.
 */
export function given(source: Readonly<Record<string, string | undefined>>, [name]: PropertyKey[]): string {
  const value = UNTOLD.test(String(name)) ? undefined : source[String(name)];
  return value === undefined ? "" : `, not ${JSON.stringify(value.slice(0, MAX_TOLD_CHARACTERS))}`;
}
