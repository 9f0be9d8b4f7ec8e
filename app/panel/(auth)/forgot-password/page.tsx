import type { Metadata } from "next";
import { requestResetAction } from "@/app/panel/(auth)/actions";
import { AuthFooter, AuthHeading, AuthLink } from "@/components/auth/auth-frame";
import { ForgotPasswordForm } from "@/components/auth/forgot-password-form";
import { canSendMail } from "@/lib/services/mail/can-send-mail";

export const metadata: Metadata = { title: "Forgot password" };

/** A link for a new password; without a mail server, only the operator can make one. */
export default function ForgotPasswordPage() {
  return (
    <>
      {canSendMail() ? (
        <>
          <AuthHeading text="We send you a link to set a new one." title="Forgot your password?" />
          <ForgotPasswordForm request={requestResetAction} />
        </>
      ) : (
        <AuthHeading
          text={
            <>
              This service sends no mail. Ask its operator for a link to set a new password; they make it with
              <code className="mt-2 block text-code text-foreground">
                npm run admin -- reset-password <span className="whitespace-nowrap">--email your@address</span>
              </code>
            </>
          }
          title="Forgot your password?"
        />
      )}
      <AuthFooter>
        <AuthLink href="/panel/sign-in">Back to sign in</AuthLink>
      </AuthFooter>
    </>
  );
}
