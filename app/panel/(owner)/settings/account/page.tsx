import type { Metadata } from "next";
import { chooseAlertMails } from "@/app/panel/(owner)/alerts/actions";
import { OwnAccount } from "@/app/panel/(owner)/settings/account/own-account";
import { AlertMailsForm } from "@/components/account/alert-mails-form";
import { Section } from "@/components/ui/section";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel, requirePerson } from "@/lib/panel/require-panel";
import { alertMailsOf } from "@/lib/services/alerts/choose-alert-mails";
import { canSendMail } from "@/lib/services/mail/can-send-mail";

export const metadata: Metadata = { title: "Your account" };

/** The person's own sign-in, and what of the account that the panel shows goes to them by mail. */
export default orSayAway(async function AccountPage() {
  const context = await requirePanel("profile.view");
  return (
    <OwnAccount path="/panel/settings/account" person={await requirePerson()}>
      {canSendMail() && context.can("alerts.choose-mails") ? <MailSection {...context} /> : null}
    </OwnAccount>
  );
});

const MailSection = orSayAway(async function MailSection({ account, accounts, user }: PanelContext) {
  const { topics } = await alertMailsOf({ accountId: account.id, userId: user.id });
  return (
    <Section
      isFramed
      text={
        <>
          What happens at <bdi>{account.companyName}</bdi> without anybody looking. It stands under alerts in any case.
          {accounts.length > 1 ? " Each of your companies has its own choice." : null}
        </>
      }
      title="Mails about alerts"
    >
      <AlertMailsForm key={account.id} save={chooseAlertMails} topics={topics} />
    </Section>
  );
});
