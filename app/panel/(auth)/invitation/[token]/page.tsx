import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { joinAsNewPersonAction, joinTeamAction } from "@/app/panel/(auth)/actions";
import { signOut } from "@/app/panel/actions";
import { AuthFooter, AuthHeading, AuthLink } from "@/components/auth/auth-frame";
import { IdentityButtons } from "@/components/auth/identity-buttons";
import { JoinAsNewPersonForm, JoinForm } from "@/components/auth/join-form";
import { SignOutForm } from "@/components/auth/sign-out-form";
import { spellEmail } from "@/lib/domain/email-address";
import { currentPerson } from "@/lib/panel/current-person";
import { identityProviderNames } from "@/lib/panel/identity-providers";
import { orSayAway } from "@/lib/panel/or-say-away";
import { findInvitation, hasJoinedBy, type InvitationOffer } from "@/lib/services/members/accept-invitation";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer", robots: { index: false } };

interface InvitationPageProps {
  params: Promise<{ token: string }>;
}

/** Where an invitation's link leads: those who have an account sign in for it, others choose a password. */
export default orSayAway(async function InvitationPage({ params }: InvitationPageProps) {
  const { token } = await params;
  const [offer, person] = await Promise.all([findInvitation(token), currentPerson()]);
  if (!offer) {
    // Whom another service brought is in by their way here, and so is who comes back after an answer that was lost.
    if (person && (await hasJoinedBy(token, person.user.id))) redirect("/panel");
    return (
      <>
        <AuthHeading
          text="It was accepted, taken back, or is more than 7 days old. Ask for a new one."
          title="This invitation does not work any more"
        />
        <AuthFooter>
          <AuthLink href="/panel">Go to the panel</AuthLink>
        </AuthFooter>
      </>
    );
  }
  return (
    <>
      <AuthHeading
        text={
          <>
            As <strong className="font-medium text-foreground">{offer.role}</strong>, with the address{" "}
            <strong className="font-medium text-foreground [overflow-wrap:anywhere]">{offer.email}</strong>.
          </>
        }
        title={
          <>
            Join <bdi>{offer.companyName}</bdi>
          </>
        }
      />
      <Answer email={person?.user.email ?? null} offer={offer} token={token} />
    </>
  );
});

function Answer({ email, offer, token }: { email: string | null; offer: InvitationOffer; token: string }) {
  if (email !== null && spellEmail(email) === spellEmail(offer.email))
    return <JoinForm join={joinTeamAction} token={token} />;
  if (email !== null) {
    return (
      <div className="grid gap-4">
        <p className="text-muted">You are signed in as {email}. Sign out to join with the address above.</p>
        <SignOutForm signOut={signOut.bind(null, `/panel/invitation/${token}`)} />
      </div>
    );
  }
  if (offer.hasPerson) {
    return (
      <p>
        <AuthLink href={`/panel/sign-in?next=${encodeURIComponent(`/panel/invitation/${token}`)}`}>
          Sign in to accept it
        </AuthLink>
      </p>
    );
  }
  return (
    <>
      <IdentityButtons next={`/panel/invitation/${token}`} providers={identityProviderNames()} />
      <JoinAsNewPersonForm email={offer.email} join={joinAsNewPersonAction} token={token} />
    </>
  );
}
