import type { ReactNode } from "react";
import { requestResetAction } from "@/app/panel/(auth)/actions";
import {
  allowIdentity,
  changeName,
  changePassword,
  disableSecondFactor,
  enableSecondFactor,
  moveSecondFactor,
  offerSecondFactor,
  removeIdentity,
  renewRecoveryCodes,
  requestEmailChange,
  revokeSession,
  signOutElsewhere,
  withdrawSecondFactorOffer,
} from "@/app/panel/(owner)/settings/account/actions";
import { ChangeEmailForm } from "@/components/account/change-email-form";
import { ChangePasswordForm } from "@/components/account/change-password-form";
import { IdentityList } from "@/components/account/identity-list";
import { PersonNameForm } from "@/components/account/person-name-form";
import { SecondFactor } from "@/components/account/second-factor";
import { SessionList } from "@/components/account/session-list";
import { SignOutElsewhere } from "@/components/account/sign-out-elsewhere";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { ActButton } from "@/components/webhooks/act-button";
import { browserName } from "@/lib/domain/browser-name";
import { orSayAway } from "@/lib/panel/or-say-away";
import { canSendMail } from "@/lib/services/mail/can-send-mail";
import { listIdentities } from "@/lib/services/people/manage-identities";
import { listPersonSessions } from "@/lib/services/people/manage-person-sessions";
import type { PersonSession } from "@/lib/services/people/person-session";
import { countRecoveryCodes } from "@/lib/services/people/recovery-codes";

interface OwnAccountProps {
  person: PersonSession;
  /** Where this page stands. */
  path: string;
  /** What else there is to set about mails: below the address. */
  children?: ReactNode;
}

/** A person's own sign-in: name, address, password, second factor, browsers. The same for staff. */
export const OwnAccount = orSayAway(async function OwnAccount(props: OwnAccountProps) {
  const { path, children } = props;
  const { user, sessionId } = props.person;
  const [sessions, codesLeft] = await Promise.all([listPersonSessions(user.id), countRecoveryCodes(user.id)]);
  return (
    <>
      <PageHeader purpose="How you sign in, and where you are signed in." title="Your account" />
      <Section isFramed title="Profile">
        <div className="max-w-[440px]">
          <PersonNameForm name={user.name ?? ""} save={changeName} />
        </div>
      </Section>
      <EmailSection email={user.email} hasPassword={user.hasPassword} />
      {children}
      <PasswordSection email={user.email} hasPassword={user.hasPassword} />
      <Section
        isFramed
        text="A code of an app on your phone, beside the password. Whoever learns the password alone stays out."
        title="Second factor"
      >
        <SecondFactor
          codesLeft={codesLeft}
          disable={disableSecondFactor}
          doneHref={path}
          enable={enableSecondFactor}
          isOn={user.hasTotp}
          mayDisable={!user.isStaff}
          move={moveSecondFactor}
          offer={offerSecondFactor}
          renew={renewRecoveryCodes}
          withdraw={withdrawSecondFactorOffer}
        />
      </Section>
      <IdentitySection hasPassword={user.hasPassword} userId={user.id} />
      <SessionSection currentId={sessionId} sessions={sessions} />
    </>
  );
});

/** The password; for people who come through another service the way to a first one. */
function PasswordSection({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const none =
    "You have none: you sign in through another service. A link to your address sets one; every browser is signed out by it.";
  return (
    <Section isFramed text={hasPassword ? undefined : none} title="Password">
      <div className="max-w-[440px]">
        {hasPassword ? <ChangePasswordForm changePassword={changePassword} /> : <FirstPassword email={email} />}
      </div>
    </Section>
  );
}

function FirstPassword({ email }: { email: string }) {
  if (canSendMail()) {
    return (
      <ActButton
        action={requestResetAction.bind(null, { email })}
        label="Send me the link"
        success="Look into your mail. The link works for an hour."
      />
    );
  }
  return (
    <p className="text-muted">
      This service sends no mail. Ask its operator for the link; they make it with
      <code className="mt-2 block text-code text-foreground [overflow-wrap:anywhere]">
        npm run admin -- reset-password --email {email}
      </code>
    </p>
  );
}

interface SessionSectionProps {
  sessions: Awaited<ReturnType<typeof listPersonSessions>>;
  /** Of this browser. */
  currentId: string;
}

function SessionSection({ sessions, currentId }: SessionSectionProps) {
  const rows = sessions.map(({ id, ip, userAgent, createdAt, lastSeenAt }) => ({
    id,
    ip,
    browser: browserName(userAgent),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent: id === currentId,
  }));
  return (
    <Section
      action={rows.length > 1 ? <SignOutElsewhere signOutElsewhere={signOutElsewhere} /> : null}
      text="Signing one out takes effect at once."
      title="Where you are signed in"
    >
      <SessionList revoke={revokeSession} sessions={rows} />
    </Section>
  );
}

/** The other services that sign the person in; nothing where there is none. */
const IdentitySection = orSayAway(async function IdentitySection({
  userId,
  hasPassword,
}: {
  userId: string;
  hasPassword: boolean;
}) {
  const identities = await listIdentities(userId);
  if (identities.length === 0) return null;
  const mayRemove = hasPassword || identities.filter(({ removedAt }) => removedAt === null).length > 1;
  return (
    <Section
      text={
        mayRemove
          ? "Whoever signs in there comes in here, also after a new password or another e-mail address. What you took off stays off until you allow it again."
          : "Your only way in. Set a password to be able to remove it."
      }
      title="Other ways in"
    >
      <IdentityList
        allow={allowIdentity}
        identities={identities.map(({ joinedAt, removedAt, ...row }) => ({
          ...row,
          joinedAt: joinedAt.toISOString(),
          removedAt: removedAt?.toISOString() ?? null,
        }))}
        remove={mayRemove ? removeIdentity : undefined}
      />
    </Section>
  );
});

/** The address, and how it is changed: by mail, else by the operator, as links for new passwords are. */
function EmailSection({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const canAsk = hasPassword && canSendMail();
  return (
    <Section
      isFramed
      text={canAsk ? "We send a link to the new address, and a notice to this one. It works for an hour." : undefined}
      title="E-mail address"
    >
      <div className="max-w-[440px]">
        <p className="mb-4 text-code text-muted">
          You sign in as <span className="text-foreground [overflow-wrap:anywhere]">{email}</span>.
        </p>
        {canAsk ? <ChangeEmailForm requestChange={requestEmailChange} /> : null}
        {hasPassword && !canAsk ? (
          <p className="text-muted">
            This service sends no mail. Ask its operator for a link that changes the address; they make it with
            <code className="mt-2 block text-code text-foreground [overflow-wrap:anywhere]">
              npm run admin -- change-email --email {email} --new-email new@address
            </code>
          </p>
        ) : null}
        {hasPassword ? null : (
          <p className="text-muted">Set a password first: the address is changed by whoever knows it.</p>
        )}
      </div>
    </Section>
  );
}
