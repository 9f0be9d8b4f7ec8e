import { AuthFooter, AuthHeading, AuthLink, AuthNotice } from "@/components/auth/auth-frame";
import { SignOutForm } from "@/components/auth/sign-out-form";

interface SignedInAlreadyProps {
  /** What the link did. */
  done: string;
  /** Of whoever is signed in in this browser. */
  email: string;
  /** Where that person goes on. */
  href: string;
  signOut: () => Promise<void>;
}

/**
 * In place of the sign-in, for who followed a mailed link in a browser where somebody is signed in: taken on without a word, they
 * would stand in what may be another person's panel, and not know whether the link has worked.
 */
export function SignedInAlready({ done, email, href, signOut }: SignedInAlreadyProps) {
  return (
    <>
      <AuthHeading
        text={
          <>
            This browser is signed in as{" "}
            <strong className="font-medium text-foreground [overflow-wrap:anywhere]">{email}</strong>. Sign out first to
            sign in with another address.
          </>
        }
        title="You are signed in"
      />
      <AuthNotice tone="success">{done}</AuthNotice>
      <SignOutForm signOut={signOut} />
      <AuthFooter>
        <AuthLink href={href}>Go to the panel</AuthLink>
      </AuthFooter>
    </>
  );
}
