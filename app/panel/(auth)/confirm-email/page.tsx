import type { Metadata } from "next";
import { confirmEmailAction } from "@/app/panel/(auth)/actions";
import { AuthFooter, AuthHeading, AuthLink } from "@/components/auth/auth-frame";
import { ConfirmEmailForm } from "@/components/auth/confirm-email-form";
import { orSayAway } from "@/lib/panel/or-say-away";

export const metadata: Metadata = { title: "Confirm your address", referrer: "no-referrer", robots: { index: false } };

interface ConfirmEmailPageProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** Where the link in the first mail leads. */
export default orSayAway(async function ConfirmEmailPage({ searchParams }: ConfirmEmailPageProps) {
  const { token } = await searchParams;
  return (
    <>
      <AuthHeading text="Then you can sign in." title="Confirm your e-mail address" />
      <ConfirmEmailForm
        confirm={confirmEmailAction}
        doneHref="/panel/sign-in?done=email"
        token={typeof token === "string" ? token : ""}
      />
      <AuthFooter>
        <AuthLink href="/panel/sign-in">Back to sign in</AuthLink>
      </AuthFooter>
    </>
  );
});
