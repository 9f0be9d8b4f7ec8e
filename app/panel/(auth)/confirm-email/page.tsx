import type { Metadata } from "next";
import { confirmEmailAction } from "@/app/panel/(auth)/actions";
import { AuthFooter, AuthHeading, AuthLink } from "@/components/auth/auth-frame";
import { ConfirmEmailForm } from "@/components/auth/confirm-email-form";
import { orSayAway } from "@/lib/panel/or-say-away";
import { isConfirmationGood } from "@/lib/services/people/sign-up";

export const metadata: Metadata = { title: "Confirm your address", referrer: "no-referrer", robots: { index: false } };

interface ConfirmEmailPageProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** Where the link in the first mail leads. */
export default orSayAway(async function ConfirmEmailPage({ searchParams }: ConfirmEmailPageProps) {
  const { token } = await searchParams;
  const isGood = typeof token === "string" && (await isConfirmationGood(token));
  return (
    <>
      {isGood ? (
        <>
          <AuthHeading text="Then you can sign in." title="Confirm your e-mail address" />
          <ConfirmEmailForm confirm={confirmEmailAction} doneHref="/panel/sign-in?done=email" token={token} />
        </>
      ) : (
        <AuthHeading
          text="It was used already, is more than 3 days old, or a newer one was sent. Sign in: when your address is not confirmed yet, a new one can be sent from there."
          title="This link does not work any more"
        />
      )}
      <AuthFooter>
        <AuthLink href="/panel/sign-in">Back to sign in</AuthLink>
      </AuthFooter>
    </>
  );
});
