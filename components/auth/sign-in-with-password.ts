import { getProviders, signIn } from "next-auth/react";

/**
 * Signs in with a password; gives null when it worked, else the outcome's name: "wrong", "code-required", "locked:30".
 * @param fields `code` of the authenticator where there is one; `ticket` instead of a password after another service's sign-in
 */
export async function signInWithPassword(fields: {
  email?: string;
  password?: string;
  code?: string;
  ticket?: string;
}): Promise<string | null> {
  try {
    // The first that signIn asks for. Without an answer to it, it would leave for a page of its own, with all that was typed.
    if ((await getProviders()) === null) return "unreached";
    const result = await signIn("credentials", { redirect: false, ...fields });
    // So next-auth answers a token of the form that it did not make, as one of a process with another AUTH_SECRET, and calls it ok.
    if (result?.url?.includes("csrf=true")) return "failed";
    return result?.ok ? null : (result?.error ?? "unreached");
  } catch {
    return "unreached";
  }
}
