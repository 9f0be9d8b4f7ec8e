import type { Metadata } from "next";
import { resetPasswordAction } from "@/app/panel/(auth)/actions";
import { AuthFooter, AuthHeading, AuthLink } from "@/components/auth/auth-frame";
import { ResetPasswordForm } from "@/components/auth/reset-password-form";
import { orSayAway } from "@/lib/panel/or-say-away";
import { isPasswordLinkGood } from "@/lib/services/people/change-password";

// The address holds a secret: nothing on the page may pass it on.
export const metadata: Metadata = { title: "New password", referrer: "no-referrer", robots: { index: false } };

interface ResetPasswordPageProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** Where a link for a new password leads. Looking at it uses nothing up: mail scanners look at all links. */
export default orSayAway(async function ResetPasswordPage({ searchParams }: ResetPasswordPageProps) {
  const { token } = await searchParams;
  const isGood = typeof token === "string" && (await isPasswordLinkGood(token));
  return (
    <>
      {isGood ? (
        <>
          <AuthHeading text="Other browsers are signed out by it." title="Set a new password" />
          <ResetPasswordForm reset={resetPasswordAction} token={token} />
        </>
      ) : (
        <AuthHeading
          text="It was used already, or is more than an hour old. Ask for a new one."
          title="This link does not work any more"
        />
      )}
      <AuthFooter>
        <AuthLink href="/panel/forgot-password">Ask for a new link</AuthLink>
      </AuthFooter>
    </>
  );
});
