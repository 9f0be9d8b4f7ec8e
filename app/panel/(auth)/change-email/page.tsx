import type { Metadata } from "next";
import { changeEmailAction } from "@/app/panel/(auth)/actions";
import { AuthFooter, AuthHeading, AuthLink } from "@/components/auth/auth-frame";
import { ConfirmLinkForm } from "@/components/auth/confirm-link-form";

export const metadata: Metadata = { title: "Change your address", referrer: "no-referrer", robots: { index: false } };

interface ChangeEmailPageProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** Where the link in the mail to a new address leads. */
export default async function ChangeEmailPage({ searchParams }: ChangeEmailPageProps) {
  const { token } = await searchParams;
  return (
    <>
      <AuthHeading
        text="From then on you sign in with it. Your other browsers are signed out."
        title="Use this e-mail address"
      />
      <ConfirmLinkForm
        confirm={changeEmailAction}
        doneHref="/panel/sign-in?done=new-email"
        token={typeof token === "string" ? token : ""}
      />
      <AuthFooter>
        <AuthLink href="/panel/sign-in">Back to sign in</AuthLink>
      </AuthFooter>
    </>
  );
}
