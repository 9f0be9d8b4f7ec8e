import { headers } from "next/headers";
import type { ActionFailure } from "@/lib/contracts/action-result";
import {
  type ActionRule,
  FRESH_SIGN_IN_SECONDS,
  type PanelActionId,
  ruleOf,
  type StaffActionId,
} from "@/lib/domain/panel-actions";
import { env } from "@/lib/env";
import { isSecure } from "@/lib/panel/cookies";
import { currentPerson } from "@/lib/panel/current-person";
import { loadPanelContext, type PanelContext } from "@/lib/panel/panel-context";
import type { PersonSession } from "@/lib/services/people/person-session";

/**
 * The checks before anything of the panel is changed or handed out, the same for actions and routes. Each throws
 * `Refusal` with what the browser is told.
 */

const SIGN_IN_ANEW = `This wants a sign-in of the last ${FRESH_SIGN_IN_SECONDS / 60} minutes, and you have no password to confirm it with. Sign out and in again through the service that you use, or set a password in your account.`;

const RESTS =
  "The account is suspended: nothing is sent for it until that ends. API B2B, Verification, says why. Nothing was changed.";

/** Why a call of the panel is not served. */
export class Refusal extends Error {
  constructor(readonly failure: ActionFailure) {
    super(failure.message);
    this.name = "Refusal";
  }
}

/** @throws Refusal unless somebody is signed in */
export async function guardPerson(): Promise<PersonSession> {
  const person = await currentPerson();
  if (!person) throw new Refusal({ ok: false, code: "SIGNED_OUT", message: "Your session has ended. Sign in again." });
  return person;
}

/** @throws Refusal unless the person's role in the present account allows the action, and the account is not suspended from it */
export async function guardPanel(action: PanelActionId): Promise<PanelContext> {
  const person = await guardPerson();
  const context = await loadPanelContext();
  if (!context?.can(action)) throw person.user.isStaff ? notThere() : notAnyMore(context !== null);
  if (ruleOf(action).restsWhileSuspended && context.account.verificationStatus === "suspended") {
    throw new Refusal({ ok: false, code: "B2B_NOT_VERIFIED", message: RESTS });
  }
  requireFreshSignIn(ruleOf(action), person);
  return context;
}

/** @throws Refusal unless the person is staff and has a second factor */
export async function guardStaff(action: StaffActionId): Promise<PersonSession> {
  const person = await guardPerson();
  if (!person.user.isStaff)
    throw notFoundFor("You are not one of the staff any more.", ", or ask who runs the service");
  if (!person.user.hasTotp) throw notFoundFor("Staff need a second factor, and you have none.", " to set one up");
  requireFreshSignIn(ruleOf(action), person);
  return person;
}

/**
 * For what gives out secrets or power: the password must have been given a moment ago. Nobody is asked for one that they do not
 * have: for people who come through another service the sign-in itself must be a moment old.
 * @throws Refusal CONFIRM_PASSWORD; VALIDATION_FAILED for who has no password
 */
export function requireFreshSignIn(
  rule: Pick<ActionRule, "needsFreshSignIn">,
  { confirmedSecondsAgo, user }: Pick<PersonSession, "confirmedSecondsAgo" | "user">,
): void {
  if (!rule.needsFreshSignIn || isFresh(confirmedSecondsAgo)) return;
  if (!user.hasPassword) throw new Refusal({ ok: false, code: "VALIDATION_FAILED", message: SIGN_IN_ANEW });
  throw new Refusal({ ok: false, code: "CONFIRM_PASSWORD", message: "Confirm your password to go on." });
}

/** Whether a sign-in is fresh enough for secrets and roles. */
export function isFresh(confirmedSecondsAgo: number): boolean {
  return confirmedSecondsAgo < FRESH_SIGN_IN_SECONDS;
}

/**
 * Refuses calls that another site's page makes. Next compares `Origin` too, but lets calls without one through; no
 * browser sends an action without it.
 * @throws Refusal
 */
export async function guardOrigin(): Promise<void> {
  const sent = await headers();
  const origin = sent.get("origin");
  const own = [new URL(env().APP_URL).host, sent.get("x-forwarded-host"), sent.get("host")];
  const from = origin !== null && URL.canParse(origin) ? new URL(origin) : null;
  if (from === null || !own.includes(from.host)) throw notThere();
  // A page of the same host over plain HTTP is of whoever is on the network, and not every browser takes it for another site.
  if (isSecure() && from.protocol !== "https:") throw notThere();
}

/** The same for people whose page may be of before they were made less or removed: they learn of themselves alone. */
function notAnyMore(isMember: boolean): Refusal {
  const why = isMember ? "Your role does not allow this any more." : "You belong to no account any more.";
  return notFoundFor(why, ", or ask an owner of the account");
}

function notFoundFor(why: string, next: string): Refusal {
  return new Refusal({
    ok: false,
    code: "NOT_FOUND",
    message: `${why} Nothing was changed. Load the page again${next}.`,
  });
}

/** What somebody may not do is not there for them. */
function notThere(): Refusal {
  return new Refusal({ ok: false, code: "NOT_FOUND", message: "This was not found." });
}
