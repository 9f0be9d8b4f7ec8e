import type { AuthOptions, User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { isSecure, panelCookie, sessionCookie } from "@/lib/panel/cookies";
import { signInBrowser } from "@/lib/panel/current-person";
import { confirmedEmail, type IdentityProfile, identityProviders } from "@/lib/panel/identity-providers";
import { closePersonSession } from "@/lib/services/people/manage-person-sessions";
import { findPersonSession, MAX_SESSION_SECONDS } from "@/lib/services/people/person-session";
import { signIn } from "@/lib/services/people/sign-in";
import { signInWithIdentity, signInWithTicket } from "@/lib/services/people/sign-in-with-identity";

/**
 * next-auth does the cookie, the CSRF token of the sign-in and other services' protocols. What it takes for a JWT is the
 * random token of a row in `user_sessions`: nothing in the cookie can be read or forged, and revoking the row signs out at
 * once in every process.
 */
export function authOptions(): AuthOptions {
  return {
    secret: env().AUTH_SECRET,
    session: { strategy: "jwt", maxAge: MAX_SESSION_SECONDS },
    pages: { signIn: "/panel/sign-in", signOut: "/panel/sign-in", error: "/panel/sign-in" },
    useSecureCookies: isSecure(),
    cookies: {
      sessionToken: sessionCookie(),
      csrfToken: panelCookie("csrf"),
      callbackUrl: panelCookie("return"),
      state: panelCookie("state"),
      pkceCodeVerifier: panelCookie("pkce"),
      nonce: panelCookie("nonce"),
    },
    jwt: {
      encode: async ({ token }) => String(token?.sessionToken ?? ""),
      decode: async ({ token }) => {
        const session = token === undefined ? null : await findPersonSession(token);
        return session && { sessionToken: token, email: session.user.email, name: session.user.name };
      },
    },
    providers: [passwordProvider(), ...identityProviders()],
    callbacks: {
      signIn: async ({ user, account, profile }) =>
        account?.type === "oauth" ? signInThrough(user, account.provider, account.providerAccountId, profile) : true,
      jwt: ({ token, user }) => (user ? { sessionToken: (user as SignedIn).sessionToken } : token),
      // The token stays in the cookie: pages' scripts learn who is signed in, nothing more.
      session: ({ session }) => session,
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sessionToken === "string") await closePersonSession(token.sessionToken);
      },
    },
    logger: {
      error: (code) => {
        // A cookie of a session that has ended is no fault.
        if (code !== "JWT_SESSION_ERROR") log("warn", "Signing in failed.", { code });
      },
      warn: () => {},
      debug: () => {},
    },
  };
}

/** What a provider hands on to the cookie. */
interface SignedIn extends User {
  sessionToken: string;
}

/** The outcome of a refused try reaches the form as the error's name; of a lock with its seconds: `locked:30`. */
function passwordProvider() {
  return CredentialsProvider({
    name: "Password",
    credentials: { email: {}, password: {}, code: {}, ticket: {} },
    authorize: async (fields): Promise<SignedIn> => {
      const { email = "", password = "", code = "", ticket = "" } = fields ?? {};
      const isOversized = [email, password, code, ticket].some((text) => text.length > MAX_FIELD_CHARACTERS);
      if (isOversized) throw new Error("wrong");
      const browser = await signInBrowser();
      const result = ticket
        ? await signInWithTicket({ ticket, code }, browser)
        : await signIn({ email, password, code }, browser);
      if (result.outcome === "locked") throw new Error(`locked:${result.seconds}`);
      if (result.outcome !== "signed-in") throw new Error(result.outcome);
      return { id: result.userId, sessionToken: result.token };
    },
  });
}

/** Longer than any e-mail address or password may be. */
const MAX_FIELD_CHARACTERS = 1_000;

/** Sends the browser back to the sign-in where more is needed; else hands the new session on to the cookie. */
async function signInThrough(
  user: User,
  provider: string,
  subject: string,
  profile: IdentityProfile | undefined,
): Promise<boolean | string> {
  if (provider !== "google" && provider !== "github") return false;
  const result = await signInWithIdentity(
    { provider, subject, email: confirmedEmail(provider, profile), name: user.name ?? null },
    await signInBrowser(),
  );
  if (result.outcome === "second-step") return `/panel/sign-in?ticket=${result.ticket}`;
  if (result.outcome !== "signed-in") return `/panel/sign-in?error=${result.outcome}`;
  Object.assign(user, { sessionToken: result.token } satisfies Partial<SignedIn>);
  return true;
}
