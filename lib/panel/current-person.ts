import { cookies, headers } from "next/headers";
import { cache } from "react";
import { clientIp } from "@/lib/domain/client-ip";
import { env } from "@/lib/env";
import { sessionCookie } from "@/lib/panel/cookies";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { type BrowserFacts, findPersonSession, type PersonSession } from "@/lib/services/people/person-session";
import type { SignInBrowser } from "@/lib/services/people/sign-in";

/** Who is signed in in the browser that asks; null: nobody. Looked up once per request. */
export const currentPerson = cache(async (): Promise<PersonSession | null> => {
  const token = (await cookies()).get(sessionCookie().name)?.value;
  return token === undefined ? null : findPersonSession(token);
});

/** Where the present request comes from. */
export async function currentBrowser(): Promise<BrowserFacts> {
  return browserOf(await headers());
}

/** Where a request with these headers comes from. */
export function browserOf(source: Pick<Headers, "get">): BrowserFacts {
  return { ip: clientIp(source, env().TRUSTED_PROXY_HOPS), userAgent: source.get("user-agent") };
}

/** The signed-in person as the audit log names them, and where. */
export async function actorOf(person: PersonSession): Promise<Actor> {
  const { ip } = await currentBrowser();
  const { sessionId, user } = person;
  return { kind: user.isStaff ? "staff" : "owner", userId: user.id, sessionId, ...(ip !== null && { ip }) };
}

/** The browser of somebody who signs in, with the session that it has already. */
export async function signInBrowser(): Promise<SignInBrowser> {
  const previousToken = (await cookies()).get(sessionCookie().name)?.value ?? null;
  return { ...(await currentBrowser()), previousToken };
}
