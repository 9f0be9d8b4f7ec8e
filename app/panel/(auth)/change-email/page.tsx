import type { Metadata } from "next";
import { changeEmailAction } from "@/app/panel/(auth)/actions";
import { AuthFooter, AuthHeading, AuthLink } from "@/components/auth/auth-frame";
import { ConfirmLinkForm } from "@/components/auth/confirm-link-form";
import { currentPerson } from "@/lib/panel/current-person";
import { orSayAway } from "@/lib/panel/or-say-away";
import { wantsPassword } from "@/lib/services/people/change-email";

export const metadata: Metadata = { title: "Change your address", referrer: "no-referrer", robots: { index: false } };

interface ChangeEmailPageProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** Where the link in the mail to a new address leads. */
export default orSayAway(async function ChangeEmailPage({ searchParams }: ChangeEmailPageProps) {
  const { token: given } = await searchParams;
  const token = typeof given === "string" ? given : "";
  const person = await currentPerson();
  const asksPassword = await wantsPassword(token, person?.user.id ?? null);
  return (
    <>
      {asksPassword === null ? (
        <AuthHeading
          text="It was used already, is more than an hour old, or a newer one was sent. Ask for a new one in your account."
          title="This link does not work any more"
        />
      ) : (
        <>
          <AuthHeading
            text="From then on you sign in with it. Your other browsers are signed out."
            title="Use this e-mail address"
          />
          <ConfirmLinkForm
            asksPassword={asksPassword}
            confirm={changeEmailAction}
            doneHref={asksPassword ? "/panel/sign-in?done=new-email" : accountPage(person?.user.isStaff ?? false)}
            token={token}
          />
        </>
      )}
      <AuthFooter>
        <AuthLink href="/panel/sign-in">Back to sign in</AuthLink>
      </AuthFooter>
    </>
  );
});

/** Where whoever is signed in already reads their new address. */
function accountPage(isStaff: boolean): string {
  return isStaff ? "/staff/account" : "/panel/settings/account";
}
