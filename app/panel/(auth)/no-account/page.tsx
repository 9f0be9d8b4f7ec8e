import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { signOut } from "@/app/panel/actions";
import { AuthHeading } from "@/components/auth/auth-frame";
import { SignOutForm } from "@/components/auth/sign-out-form";
import { orSayAway } from "@/lib/panel/or-say-away";
import { loadPanelContext } from "@/lib/panel/panel-context";
import { requirePerson } from "@/lib/panel/require-panel";

export const metadata: Metadata = { title: "No account" };

/** For people whom the last of their teams took off. */
export default orSayAway(async function NoAccountPage() {
  const { user } = await requirePerson();
  if (user.isStaff) redirect("/staff");
  if (await loadPanelContext()) redirect("/panel");
  return (
    <>
      <AuthHeading
        text={`${user.email} belongs to no account any more. Ask for an invitation, or sign up with another address.`}
        title="No account to show"
      />
      <SignOutForm signOut={signOut} />
    </>
  );
});
