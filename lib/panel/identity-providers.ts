import type { Profile } from "next-auth";
import GitHubProvider, { type GithubProfile } from "next-auth/providers/github";
import GoogleProvider, { type GoogleProfile } from "next-auth/providers/google";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { env } from "@/lib/env";
import { lookupTogether } from "@/lib/lookup-together";

/** Sign-in through other services, each when its two settings are there. */

/** What the other service says of a person. */
export type IdentityProfile = Profile & {
  email_verified?: unknown;
  /** With which status GitHub refused to tell the addresses; undefined: it told them. Whoever is known here already needs none. */
  addressesRefused?: number | undefined;
};

/** The services that are configured, for the buttons of the sign-in. */
export function identityProviderNames(): { id: "google" | "github"; name: string }[] {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = env();
  return [
    ...(GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET ? [{ id: "google", name: "Google" } as const] : []),
    ...(GITHUB_CLIENT_ID && GITHUB_CLIENT_SECRET ? [{ id: "github", name: "GitHub" } as const] : []),
  ];
}

export function identityProviders(): (OAuthConfig<GoogleProfile> | OAuthConfig<GithubProfile>)[] {
  const { GOOGLE_CLIENT_ID = "", GOOGLE_CLIENT_SECRET = "", GITHUB_CLIENT_ID = "", GITHUB_CLIENT_SECRET = "" } = env();
  return identityProviderNames().map(({ id }): OAuthConfig<GoogleProfile> | OAuthConfig<GithubProfile> =>
    id === "google"
      ? GoogleProvider<GoogleProfile>({
          clientId: GOOGLE_CLIENT_ID,
          clientSecret: GOOGLE_CLIENT_SECRET,
          httpOptions: LOOK_UP,
        })
      : gitHub(GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET),
  );
}

/** Anybody may press their buttons as often as they like, and each press looks a name up. */
const LOOK_UP = { lookup: lookupTogether };

/** The address when the other service has confirmed it, else null. GitHub's was looked up with that in mind (below). */
export function confirmedEmail(provider: "google" | "github", profile: IdentityProfile | undefined): string | null {
  if (!profile?.email) return null;
  return provider === "github" || profile.email_verified === true ? profile.email : null;
}

/** What is looked at of GitHub's answers. next-auth says nothing to a person whom none is about; a word is no confirmation. */
const gitHubPerson = z.looseObject({ id: z.number() });
const gitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

const GITHUB_EMAILS = "https://api.github.com/user/emails";
/** As long as next-auth waits for each of the other answers; without a limit the browser would hang with GitHub. */
const LOOK_UP_MS = 3_500;

/** GitHub's profile may show an address that was never confirmed: only the confirmed primary one counts. */
function gitHub(clientId: string, clientSecret: string): OAuthConfig<GithubProfile> {
  const provider = GitHubProvider({ clientId, clientSecret, httpOptions: LOOK_UP });
  return {
    ...provider,
    userinfo: {
      url: "https://api.github.com/user",
      request: async ({ client, tokens }) => {
        const token = readToken(tokens);
        const profile = readAnswer(gitHubPerson, await client.userinfo(token));
        const response = await fetch(GITHUB_EMAILS, {
          headers: { Authorization: `Bearer ${token}`, Accept: "application/vnd.github+json" },
          signal: AbortSignal.timeout(LOOK_UP_MS),
        });
        const emails = response.ok ? readAnswer(gitHubEmails, await response.json()) : [];
        const email = emails.find(({ primary, verified }) => primary && verified)?.email;
        return { ...profile, email, addressesRefused: response.ok ? undefined : response.status };
      },
    },
  };
}

const gitHubRefusal = z.looseObject({ error: z.string(), error_description: z.string().default("") });

/**
 * GitHub answers 200 when it refuses a token, too, such as for a wrong secret; next-auth looks at the status alone.
 * @throws Error in GitHub's words, for the log
 */
function readToken(tokens: { access_token?: string }): string {
  if (tokens.access_token) return tokens.access_token;
  const { error, error_description } = readAnswer(gitHubRefusal, tokens);
  throw new Error(`${error} (${error_description})`);
}

/** @throws Error on one line, for the log */
function readAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`GitHub's answer cannot be read: ${issue?.path.join(".") || "all of it"} ${issue?.message}`);
}
