import type { Metadata } from "next";
import { redirect } from "next/navigation";
import {
  enableSecondFactor,
  offerSecondFactor,
  withdrawSecondFactorOffer,
} from "@/app/panel/(owner)/settings/account/actions";
import { confirmPassword, signOut } from "@/app/panel/actions";
import { SetUpSecondFactor } from "@/components/account/set-up-second-factor";
import { AuthFooter, AuthHeading } from "@/components/auth/auth-frame";
import { SignOutForm } from "@/components/auth/sign-out-form";
import { PasswordPrompt } from "@/components/ui/password-prompt";
import { ToastRegion } from "@/components/ui/toasts";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePerson } from "@/lib/panel/require-panel";

export const metadata: Metadata = { title: "Set up a second factor" };

const WHY_STAFF = "Staff see every company’s data: their pages open to those who sign in with one.";
const WHAT_IT_TAKES = "You need an authenticator app on your phone. From then on, signing in asks for its code too.";

/** Staff come here at their first sign-in: without a second factor nothing of theirs opens. */
export default orSayAway(async function EnrolPage() {
  const { user } = await requirePerson();
  const home = user.isStaff ? "/staff" : "/panel";
  if (user.hasTotp) redirect(home);
  return (
    <PasswordPrompt confirmPassword={confirmPassword}>
      <AuthHeading
        text={user.isStaff ? `${WHY_STAFF} ${WHAT_IT_TAKES}` : WHAT_IT_TAKES}
        title="Set up a second factor"
      />
      <SetUpSecondFactor
        doneHref={home}
        enable={enableSecondFactor}
        instead={
          <>
            <AuthFooter>Not now?</AuthFooter>
            <div className="mt-3">
              <SignOutForm isAside signOut={signOut} />
            </div>
          </>
        }
        offer={offerSecondFactor}
        withdraw={withdrawSecondFactorOffer}
      />
      <ToastRegion />
    </PasswordPrompt>
  );
});
