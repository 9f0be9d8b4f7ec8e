import { cookies } from "next/headers";
import type { AuthOptions, User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { cutText } from "@/lib/domain/cut-text";
import { isVisible } from "@/lib/domain/visible-text";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { isSecure, panelCookie, sessionCookie } from "@/lib/panel/cookies";
import { signInBrowser } from "@/lib/panel/current-person";
import { confirmedEmail, type IdentityProfile, identityProviders } from "@/lib/panel/identity-providers";
import { ownPath } from "@/lib/panel/require-panel";
import { closePersonSession } from "@/lib/services/people/manage-person-sessions";
import { findPersonSession, MAX_SESSION_SECONDS } from "@/lib/services/people/person-session";
import { OtherKeyError } from "@/lib/services/people/sealed-secret";
import { signIn } from "@/lib/services/people/sign-in";
import { signInWithIdentity, signInWithTicket } from "@/lib/services/people/sign-in-with-identity";

const SIGN_IN = "/panel/sign-in";

/**
 * next-auth does the cookie, the CSRF token of the sign-in and other services' protocols. What it takes for a JWT is the
 * random token of a row in `user_sessions`: nothing in the cookie can be read or forged, and revoking the row signs out at
 * once in every process.
 */
export function authOptions(): AuthOptions {
  return {
    secret: env().AUTH_SECRET,
    session: { strategy: "jwt", maxAge: MAX_SESSION_SECONDS },
    // next-auth has a page of its own for each that is not named.
    pages: { signIn: SIGN_IN, signOut: SIGN_IN, error: SIGN_IN, verifyRequest: SIGN_IN },
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
      redirect: ({ url, baseUrl }) => wayBack(url, baseUrl),
      // The token stays in the cookie: pages' scripts learn who is signed in, nothing more.
      session: ({ session }) => session,
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sessionToken === "string") await closePersonSession(token.sessionToken);
      },
    },
    logger: {
      error: (code, told) => {
        // A cookie of a session that has ended is no fault.
        if (code === "JWT_SESSION_ERROR") return;
        const reason = reasonOf(told);
        // Nor is somebody who turns back at the other service.
        log(reason?.startsWith("access_denied") ? "info" : "warn", "Signing in failed.", { code, reason });
      },
      warn: () => {},
      debug: () => {},
    },
  };
}

const MAX_REASON_CHARACTERS = 200;

/** Why, for whoever has to set it right: the words of the error alone, for next-auth hands along what the other service answered. */
function reasonOf(told: unknown): string | undefined {
  const error = told instanceof Error ? told : (told as { error?: unknown } | undefined)?.error;
  return error instanceof Error ? cutText(error.message, MAX_REASON_CHARACTERS) : undefined;
}

/** An address of ours that a browser asks to be led back to; else where we are. Whoever calls may send anything. */
export function wayBack(url: unknown, baseUrl: string): string {
  if (typeof url !== "string" || !URL.canParse(url, baseUrl)) return baseUrl;
  const { origin, href } = new URL(url, baseUrl);
  return origin === new URL(baseUrl).origin ? href : baseUrl;
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
      const sent = credentialsSchema.safeParse(fields ?? {});
      if (!sent.success) throw new Error("wrong");
      const { ticket, ...credentials } = sent.data;
      const result = await orFailed(async () => {
        const browser = await signInBrowser();
        return ticket ? signInWithTicket({ ticket, code: credentials.code }, browser) : signIn(credentials, browser);
      });
      if (result.outcome === "locked") throw new Error(`locked:${result.seconds}`);
      if (result.outcome !== "signed-in") throw new Error(result.outcome);
      return { id: result.userId, sessionToken: result.token };
    },
  });
}

/** Longer than any e-mail address or password may be. */
const MAX_FIELD_CHARACTERS = 1_000;
const credential = plainText(z.string().max(MAX_FIELD_CHARACTERS)).default("");
/** Nobody's e-mail address or password has another form. */
const credentialsSchema = z.object({ email: credential, password: credential, code: credential, ticket: credential });

/** next-auth tells the browser an error's words: those of what nobody foresaw are for the log alone. */
async function orFailed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log("error", "Signing in failed.", {}, error);
    // Of a second factor: recovery codes are hashes, and go on.
    throw new Error(error instanceof OtherKeyError ? "codes-unread" : "failed");
  }
}

/** How another service calls a person, and so their company at first. Some is no name at all: nobody is kept out for it. */
const givenName = z
  .string()
  .trim()
  .refine((name) => isVisible(name) && !/\p{Cc}|\p{Cs}/u.test(name))
  .nullable()
  .catch(null);

/** Sends the browser back to the sign-in where more is needed; else hands the new session on to the cookie. */
async function signInThrough(
  user: User,
  provider: string,
  subject: string,
  profile: IdentityProfile | undefined,
): Promise<boolean | string> {
  if (provider !== "google" && provider !== "github") return false;
  const email = confirmedEmail(provider, profile);
  const invitation = invitationOf(await returnPath());
  const result = await orFailed(async () =>
    signInWithIdentity(
      { provider, subject, email, name: givenName.parse(user.name) },
      await signInBrowser(),
      invitation,
    ),
  );
  if (result.outcome === "second-step") return backToSignIn({ ticket: result.ticket });
  // Who comes through another service typed no password that could be wrong.
  if (result.outcome === "wrong") return backToSignIn({ error: "AccessDenied" });
  if (result.outcome === "no-account" && profile?.addressesRefused !== undefined) {
    log("warn", "Signing in failed.", { code: "ADDRESSES_UNTOLD", reason: addressesUntold(profile.addressesRefused) });
    return backToSignIn({ error: "addresses-untold" });
  }
  if (result.outcome !== "signed-in") return backToSignIn({ error: result.outcome });
  Object.assign(user, { sessionToken: result.token } satisfies Partial<SignedIn>);
  return true;
}

function addressesUntold(status: number): string {
  const remedy = status === 403 || status === 404 ? " A GitHub App has to be permitted to read them." : "";
  return `GitHub answered ${status} to the question for a person's addresses.${remedy}`;
}

/** The sign-in, with what it is to go on with; from there to where the person was going, which next-auth kept. */
async function backToSignIn(what: { ticket: string } | { error: string }): Promise<string> {
  const next = await returnPath();
  return `${SIGN_IN}?${new URLSearchParams({ ...what, ...(next !== null && { next }) })}`;
}

/** Where the person was going; null: nowhere of ours. */
async function returnPath(): Promise<string | null> {
  const kept = (await cookies()).get(panelCookie("return").name)?.value;
  const { pathname, search } = new URL(kept !== undefined && URL.canParse(kept) ? kept : env().APP_URL);
  return ownPath(pathname + search);
}

/** What the link of an invitation holds, of somebody who goes on from its page; null of everybody else. */
export function invitationOf(path: string | null): string | null {
  return /^\/panel\/invitation\/([^/?]+)/.exec(path ?? "")?.[1] ?? null;
}
