import { type ActionAddress, callAction } from "@/e2e/support/call-action";
import { cookieOf, type TestPerson } from "@/e2e/support/panel-browser";
import type { Exposed, ExposedAction } from "@/e2e/support/panel-source";
import { suite } from "@/e2e/support/suite";
import { isAllowed, isSignedIn, type Visitor } from "@/e2e/support/trust-cast";

/** What the panel answers to whom, over HTTP and without a browser: what it has to, by the tables, and what it does. */

/** An input that no action takes: who may act hears of the input, and nothing is ever done. */
const UNKNOWN_INPUT = { thereIsNoSuchField: true };
export const HEARD_OF_INPUT = "VALIDATION_FAILED";

/** The heading of both not-found pages; it is part of other pages' data too, so the mark of the outcome counts as well. */
const NOT_FOUND = /<h1[^>]*>(?:Not found|This page does not exist)/;
const NOT_FOUND_MARK = "NEXT_HTTP_ERROR_FALLBACK;404";
const REDIRECT_MARK = /NEXT_REDIRECT;(?:replace|push);([^;]+);/;

/** Pages that only lead on, and to where. */
export const LEADS_ON: Record<string, string> = {
  "/staff": "/staff/verifications",
  "/panel/api-b2b/webhooks/deliveries/[id]": "/panel/api-b2b/webhooks?",
};

export function askPanel(address: string, person: TestPerson | null, signal?: AbortSignal): Promise<Response> {
  return fetch(new URL(address, suite.url), { redirect: "manual", headers: person ? cookieOf(person) : {}, signal });
}

/** What a page answers: "shown", "not found", or where it leads to. */
export async function visitPage(path: string, address: string, person: TestPerson | null): Promise<string> {
  const response = await askPanel(address, person);
  const outcome = response.headers.get("location") ?? outcomeOf(await response.text());
  return outcome.startsWith(LEADS_ON[path] ?? "shown") ? "shown" : outcome;
}

export function outcomeOf(html: string): string {
  const redirect = REDIRECT_MARK.exec(html)?.[1];
  if (redirect !== undefined) return redirect.replaceAll("&amp", "&");
  if (html.includes(NOT_FOUND_MARK) || NOT_FOUND.test(html)) return "not found";
  return /<h1[ >]/.test(html) ? "shown" : "nothing";
}

/** What `visitPage` must give of a page at that address. */
export function wantedOutcome(visitor: Visitor, page: Exposed & { path: string }, address: string): string {
  const isNowhere = page.path.includes("[...");
  if (isAllowed(visitor, page)) return isNowhere ? "not found" : "shown";
  if (!isSignedIn(visitor)) return `/panel/sign-in?next=${encodeURIComponent(address)}`;
  if (page.audience === "staff") return visitor === "staff without a second factor" ? "/panel/enrol" : "not found";
  if (visitor === "a person of no account") return "/panel/no-account";
  return visitor.startsWith("staff") ? "/staff" : "not found";
}

/** The status of a download or stream; one that has nothing to say counts as one that speaks. */
export async function statusOfRoute(address: string, person: TestPerson | null): Promise<number> {
  const controller = new AbortController();
  const { status } = await askPanel(address, person, controller.signal);
  controller.abort();
  return status === 204 ? 200 : status;
}

/** What `statusOfRoute` must give. */
export function wantedStatus(visitor: Visitor, route: Exposed): number {
  if (isAllowed(visitor, route)) return 200;
  return isSignedIn(visitor) ? 404 : 401;
}

/** The code with which an action answers somebody's call with an input that it does not know. */
export async function codeOfAction(
  person: TestPerson | null,
  address: ActionAddress,
  origin: string | null = new URL(suite.url).origin,
): Promise<string> {
  const headers = { ...(person && cookieOf(person)), ...(origin !== null && { Origin: origin }) };
  const { status, result } = await callAction(address, UNKNOWN_INPUT, headers);
  if (result === null) return status >= 400 ? "refused" : `status ${status}`;
  return result.ok ? "done" : result.code;
}

/** What `codeOfAction` must give. */
export function wantedCode(visitor: Visitor, action: ExposedAction): string {
  if (isAllowed(visitor, action)) return HEARD_OF_INPUT;
  return isSignedIn(visitor) ? "NOT_FOUND" : "SIGNED_OUT";
}
