/** What a password must be. Long rather than odd: no rules about kinds of characters (NIST SP 800-63B). */

export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 200;

const MIN_DIFFERENT_CHARACTERS = 5;

/** Those of the usual lists that are long enough to pass otherwise, and the words that they are made of. */
const COMMON_WORDS = [
  "password",
  "passwort",
  "passw0rd",
  "p@ssword",
  "p@ssw0rd",
  "qwertyuiop",
  "qwerty",
  "qwertz",
  "azerty",
  "asdfghjkl",
  "zxcvbnm",
  "1q2w3e4r5t6y",
  "1q2w3e4r",
  "1qaz2wsx3edc",
  "1qaz2wsx",
  "letmein",
  "welcome",
  "administrator",
  "admin",
  "changeme",
  "iloveyou",
  "sunshine",
  "princess",
  "football",
  "baseball",
  "superman",
  "trustno1",
  "dragon",
  "monkey",
  "master",
  "secret",
  "abc123",
  "abcdefghijklmnopqrstuvwxyz",
  "0123456789",
  "9876543210",
  "correcthorsebatterystaple",
];

/**
 * What is wrong with a password, as the end of a sentence ("must ..."); null when it will do.
 * @param email of whom it is
 */
export function passwordFault(password: string, email: string): string | null {
  const characters = [...password].length;
  if (characters < MIN_PASSWORD_CHARACTERS) return `must have at least ${MIN_PASSWORD_CHARACTERS} characters`;
  if (characters > MAX_PASSWORD_CHARACTERS) return `must have at most ${MAX_PASSWORD_CHARACTERS} characters`;
  const lower = password.toLowerCase();
  const address = email.trim().toLowerCase();
  if (address !== "" && (lower.includes(address) || isMadeOf(lower, [address.split("@")[0] ?? address]))) {
    return "must not be your e-mail address";
  }
  if (new Set(lower).size < MIN_DIFFERENT_CHARACTERS || /^\d+$/.test(lower) || isMadeOf(lower, COMMON_WORDS)) {
    return "is one of those that are guessed first; take another";
  }
  return null;
}

/** Whether nothing is left but digits and signs when such words are taken out: "Password1234!" is made of "password". */
function isMadeOf(lower: string, words: string[]): boolean {
  const long = words.filter((word) => word.length >= 3).sort((a, b) => b.length - a.length);
  const rest = long.reduce((text, word) => text.replaceAll(word, ""), lower);
  return rest.length < lower.length && !/[\p{L}]/u.test(rest);
}
