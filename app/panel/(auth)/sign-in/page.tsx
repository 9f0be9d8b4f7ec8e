import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { resendConfirmationAction } from "@/app/panel/(auth)/actions";
import { signOut } from "@/app/panel/actions";
import { AuthFooter, AuthHeading, AuthLink, AuthNotice } from "@/components/auth/auth-frame";
import { IdentityButtons } from "@/components/auth/identity-buttons";
import { SignInForm } from "@/components/auth/sign-in-form";
import { SignedInAlready } from "@/components/auth/signed-in-already";
import { env } from "@/lib/env";
import { currentPerson } from "@/lib/panel/current-person";
import { identityProviderNames } from "@/lib/panel/identity-providers";
import { orSayAway } from "@/lib/panel/or-say-away";
import { ownPath } from "@/lib/panel/require-panel";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  searchParams: Promise<{
    next?: string | string[];
    callbackUrl?: string | string[];
    error?: string | string[];
    ticket?: string | string[];
    done?: string | string[];
  }>;
}

/** A map, for what stands in an address: objects know words of their own, such as `constructor`. */
const DONE_WORDS = new Map([
  ["password", ["Your password is changed.", "Sign in with the new one."]],
  ["new-email", ["Your e-mail address is changed.", "Sign in with the new one."]],
  ["email", ["Your e-mail address is confirmed.", "Sign in to go on."]],
  ["erased", ["What was kept of you is erased."]],
]);

const MAY_BE_ERASED =
  "You are signed out. If you had yourself erased, that is done when this sign-in does not know you any more.";

/** Sign-in of people; whoever is signed in already goes on. */
export default orSayAway(async function SignInPage({ searchParams }: SignInPageProps) {
  const { next, callbackUrl, error, ticket, done } = await searchParams;
  const target = ownPath(textOf(next)) ?? keptPath(textOf(callbackUrl)) ?? "/panel";
  const words = DONE_WORDS.get(textOf(done) ?? "");
  const person = await currentPerson();
  if (person) {
    if (words?.[0] === undefined) redirect(target);
    return <SignedInAlready done={words[0]} email={person.user.email} href={target} signOut={signOut} />;
  }
  // Where people erase themselves: the answer may have been lost on the way to them.
  const mayBeErased = words === undefined && target === "/panel/no-account";
  return (
    <>
      <AuthHeading text={mayBeErased ? MAY_BE_ERASED : `To the panel of ${env().SERVICE_NAME}.`} title="Sign in" />
      {words ? <AuthNotice tone="success">{words.join(" ")}</AuthNotice> : null}
      <SignInForm
        above={<IdentityButtons next={target} providers={identityProviderNames()} />}
        below={
          <AuthFooter>
            No account yet? <AuthLink href="/panel/sign-up">Sign up</AuthLink>
          </AuthFooter>
        }
        next={target}
        outcome={textOf(error)}
        resend={resendConfirmationAction}
        ticket={textOf(ticket)}
      />
    </>
  );
});

/** Where somebody was going whom another service refused: next-auth sends them back with it as a whole address. */
function keptPath(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const { pathname, search } = new URL(address);
  return ownPath(pathname + search);
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
