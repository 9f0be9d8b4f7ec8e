import { formatCount } from "@/components/ui/format-number";

/** What the sign-in says to an outcome of the server. The same words for a wrong password and an unknown address. */
export function signInWords(outcome: string): string {
  const seconds = /^locked:(\d+)$/.exec(outcome)?.[1];
  if (seconds !== undefined) return lockedWords(Number(seconds));
  return WORDS.get(outcome) ?? "Signing in did not work. Try again.";
}

/** A map: the outcome stands in the page's address, and objects know words of their own, such as `constructor`. */
const WORDS = new Map([
  ["wrong", "E-mail address or password is wrong."],
  ["code-wrong", "That code is wrong, or was used already. Wait for the next one."],
  ["codes-unread", "Codes of your app cannot be checked right now. Use a recovery code, or ask the operator."],
  ["unreached", "The server could not be reached. Try again."],
  ["unconfirmed", "Confirm your e-mail address first: open the link in the mail that we sent you."],
  ["no-account", "That sign-in gave no confirmed e-mail address. Sign up with your e-mail address instead."],
  [
    "addresses-untold",
    "The other service did not tell your e-mail address. Try again in a while, or sign up with your e-mail address.",
  ],
  ["ticket-gone", "That took too long. Sign in again."],
  ["link-first", "There is an account with that e-mail address. Sign in with its password."],
  ["taken-off", "That service was taken off its account. Sign in with the password; “Your account” allows it again."],
  [
    "not-invited",
    "That sign-in has another e-mail address than the invitation, or the invitation does not work any more.",
  ],
  ["AccessDenied", "That sign-in was not allowed."],
  // What other services answer to somebody who turns back there, next-auth calls by the same name as any refusal of theirs.
  ["Callback", "The other service did not sign you in, or you turned back there. Try again, or use your password."],
  ["OAuthSignin", "The other service could not be reached. Try again in a while, or use your password."],
  ["OAuthCallback", "The other service did not confirm who you are. Try again."],
  ["Configuration", "Signing in is not set up right. Tell the operator."],
]);

function lockedWords(seconds: number): string {
  const wait = seconds < 90 ? formatCount(seconds, "second") : formatCount(Math.ceil(seconds / 60), "minute");
  return `Too many tries. Wait ${wait}, then try again.`;
}
