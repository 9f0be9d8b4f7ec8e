import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { PanelActionId } from "@/lib/domain/panel-actions";
import { currentPerson } from "@/lib/panel/current-person";
import { loadPanelContext, type PanelContext } from "@/lib/panel/panel-context";
import type { PersonSession } from "@/lib/services/people/person-session";

const SIGN_IN_PATH = "/panel/sign-in";

/**
 * For pages: who is signed in and may do this. Nobody is signed in: goes to the sign-in and comes back; the role does not
 * allow it: the page is not there; staff, who belong to no account, go to their own place.
 */
export async function requirePanel(action: PanelActionId): Promise<PanelContext> {
  const person = await requirePerson();
  const context = await loadPanelContext();
  if (!context) redirect(person.user.isStaff ? "/staff" : "/panel/no-account");
  if (!context.can(action)) notFound();
  return context;
}

/** For pages about the person alone: whoever is signed in, staff or not. */
export async function requirePerson(): Promise<PersonSession> {
  const person = await currentPerson();
  if (person) return person;
  const path = ownPath((await headers()).get(PATH_HEADER));
  redirect(path === null ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(path)}`);
}

/** Set by scripts/serve.ts, over whatever a client wrote: Next tells a page nothing of its own address. */
const PATH_HEADER = "x-service-path";
const BASE = "http://own.invalid";
const OWN_PLACES = /^\/(panel|staff)(\/|$)/;

/**
 * An address of the panel or of staff as a path with its query, for the way back after signing in; null for anything else,
 * so that a link can lead nowhere but here.
 */
export function ownPath(address: string | null | undefined): string | null {
  if (!address?.startsWith("/") || !URL.canParse(address, BASE)) return null;
  const url = new URL(address, BASE);
  if (url.origin !== BASE || !OWN_PLACES.test(url.pathname)) return null;
  // Next's own mark on what it fetches for a page.
  url.searchParams.delete("_rsc");
  return url.pathname + url.search;
}
