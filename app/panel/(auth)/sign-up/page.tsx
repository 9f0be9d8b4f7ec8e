import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { resendConfirmationAction, signUpAction } from "@/app/panel/(auth)/actions";
import { AuthFooter, AuthHeading, AuthLink } from "@/components/auth/auth-frame";
import { IdentityButtons } from "@/components/auth/identity-buttons";
import { SignUpForm } from "@/components/auth/sign-up-form";
import { SIGN_UP_CREDITS } from "@/lib/domain/plans";
import { currentPerson } from "@/lib/panel/current-person";
import { identityProviderNames } from "@/lib/panel/identity-providers";
import { orSayAway } from "@/lib/panel/or-say-away";

export const metadata: Metadata = { title: "Sign up" };

/** A new account for a company. */
export default orSayAway(async function SignUpPage() {
  if (await currentPerson()) redirect("/panel");
  return (
    <>
      <AuthHeading text={`Free to begin with: ${SIGN_UP_CREDITS} credits, no card.`} title="Create an account" />
      <IdentityButtons next="/panel" providers={identityProviderNames()} />
      <SignUpForm resend={resendConfirmationAction} signUp={signUpAction} />
      <AuthFooter>
        You have an account? <AuthLink href="/panel/sign-in">Sign in</AuthLink>
      </AuthFooter>
    </>
  );
});
