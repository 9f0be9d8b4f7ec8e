import { cookies } from "next/headers";
import type { NextRequest } from "next/server";
import { invalidField } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { refusal, refuseMethod } from "@/lib/http/route";
import { panelCookie } from "@/lib/panel/cookies";

/** Where the form of the sign-in is sent; other services lead browsers back to paths of their own. */
const PASSWORD_PATH = "/api/auth/callback/credentials";
const VISIBLE = /^[\x20-\x7e]*$/;

/**
 * The refusal of a call that next-auth fails at, before it gets it; null for all others. Anybody can send one, and it would be
 * answered as a fault of ours: a way back that is no address, an outcome that no header can hold, a form that is fetched.
 */
export async function refuseUnreadable({ method, nextUrl }: NextRequest): Promise<Response | null> {
  if (method !== "POST" && nextUrl.pathname === PASSWORD_PATH) return refuseMethod({ method }, "POST");
  const { searchParams } = nextUrl;
  if (!searchParams.getAll("error").every((outcome) => VISIBLE.test(outcome))) {
    return refusal(invalidField("error", "has characters that no outcome has"));
  }
  // Of several the last one counts.
  if (!isWayBack(searchParams.getAll("callbackUrl").at(-1))) return refusal(notAnAddress());
  const { name, options } = panelCookie("return");
  const jar = await cookies();
  if (isWayBack(jar.get(name)?.value)) return null;
  // Else the browser could not sign in until it forgets it by itself.
  jar.set(name, "", { ...options, maxAge: 0 });
  return refusal(notAnAddress());
}

/** As next-auth looks at it. */
function isWayBack(address: string | undefined): boolean {
  if (!address) return true;
  const base = address.startsWith("/") ? env().APP_URL : undefined;
  return URL.canParse(address, base) && /^https?:$/.test(new URL(address, base).protocol);
}

function notAnAddress() {
  return invalidField("callbackUrl", "must be an address of this service");
}
