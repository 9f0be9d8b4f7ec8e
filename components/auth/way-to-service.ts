import { getCsrfToken } from "next-auth/react";

/**
 * Asks for the way to another service's sign-in. next-auth's own `signIn` leaves the page whatever comes: without an answer for
 * one of its own, with a refusal for the same page anew, without a word, and with what is no answer it never ends.
 * @param callbackUrl where to go when that is done
 * @returns the address to go to, or an outcome as `signInWithPassword` names them
 */
export async function wayToService(id: string, callbackUrl: string): Promise<{ href: string } | { outcome: string }> {
  try {
    const csrfToken = await getCsrfToken();
    if (csrfToken === undefined) return { outcome: "unreached" };
    const body = new URLSearchParams({ csrfToken, callbackUrl, json: "true" });
    const response = await fetch(`/api/auth/signin/${id}`, { method: "POST", body });
    const { url } = (await response.json()) as { url?: string };
    // As of a password: the token is one of a process with another AUTH_SECRET.
    return url === undefined || url.includes("csrf=true") ? { outcome: "failed" } : { href: url };
  } catch {
    return { outcome: "unreached" };
  }
}
