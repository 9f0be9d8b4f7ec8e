import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { erasePersonAction, openAccountAction } from "@/app/panel/(auth)/actions";
import { confirmPassword, signOut } from "@/app/panel/actions";
import { AuthFooter, AuthHeading } from "@/components/auth/auth-frame";
import { ErasePersonButton } from "@/components/auth/erase-person-button";
import { OpenAccountForm } from "@/components/auth/open-account-form";
import { SignOutForm } from "@/components/auth/sign-out-form";
import { formatCredits } from "@/components/ui/format-number";
import { PasswordPrompt } from "@/components/ui/password-prompt";
import { ToastRegion } from "@/components/ui/toasts";
import { orSayAway } from "@/lib/panel/or-say-away";
import { loadPanelContext } from "@/lib/panel/panel-context";
import { requirePerson } from "@/lib/panel/require-panel";
import { firstCreditsOf } from "@/lib/services/people/open-account";

export const metadata: Metadata = { title: "No account" };

/** For people whom the last of their teams took off: they begin anew here, or go for good. */
export default orSayAway(async function NoAccountPage() {
  const { user } = await requirePerson();
  if (user.isStaff) redirect("/staff");
  if (await loadPanelContext()) redirect("/panel");
  const credits = await firstCreditsOf(user.id);
  return (
    <PasswordPrompt confirmPassword={confirmPassword}>
      <AuthHeading
        text={
          <>
            <span className="[overflow-wrap:anywhere]">{user.email}</span> belongs to no account any more. Ask for an
            invitation, or create an account for a company of your own: free to begin with,{" "}
            {credits > 0
              ? `${formatCredits(credits)}, no card.`
              : "no card. The first credits came with your first account."}
          </>
        }
        title="No account to show"
      />
      <OpenAccountForm open={openAccountAction} />
      <AuthFooter>Neither? Sign out, or have all that is kept of you erased.</AuthFooter>
      <div className="mt-3 flex flex-wrap gap-3">
        <SignOutForm isAside signOut={signOut} />
        <ErasePersonButton email={user.email} erase={erasePersonAction} />
      </div>
      <ToastRegion />
    </PasswordPrompt>
  );
});
