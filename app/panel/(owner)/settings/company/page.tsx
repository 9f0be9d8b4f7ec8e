import type { Metadata } from "next";
import { AccountExports } from "@/app/panel/(owner)/settings/company/account-exports";
import { eraseAccount, renameCompany } from "@/app/panel/(owner)/settings/company/actions";
import { AlertChatSection } from "@/app/panel/(owner)/settings/company/alert-chat-section";
import { CompanyNameForm } from "@/components/account/company-name-form";
import { EraseAccountButton } from "@/components/account/erase-account-button";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { StatusDot } from "@/components/ui/status-dot";
import { VERIFICATION_WORDS } from "@/components/verification/verification-state";
import { PLANS } from "@/lib/domain/plans";
import type { VerificationStatus } from "@/lib/domain/verification";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { findAlertChat } from "@/lib/services/alerts/alert-chat";
import { listAccountExports } from "@/lib/services/data-rights/account-exports";

export const metadata: Metadata = { title: "Company" };

/** Settings / Company: what the account is called, the chat that its alerts go to, all of it in a file, and its end. */
export default orSayAway(async function CompanyPage() {
  const { account, projects, can } = await requirePanel("account.view");
  const [exports, chat] = await Promise.all([
    can("account.export") ? listAccountExports(account.id) : [],
    can("alerts.set-chat") ? findAlertChat(account.id) : null,
  ]);
  return (
    <>
      <PageHeader purpose="The account that all projects, credits and people belong to." title="Company" />
      <Section isFramed title="Account">
        <KeyValues
          items={[
            ...(can("account.update") ? [] : [{ name: "Name", value: <bdi>{account.companyName}</bdi> }]),
            { name: "Id", value: <IdText id={account.id} label="the account's id" /> },
            {
              name: "Verification",
              value: (
                <NearLink className="hover:underline" href="/panel/api-b2b/verification">
                  <StatusDot
                    status={account.verificationStatus}
                    word={VERIFICATION_WORDS[account.verificationStatus as VerificationStatus]}
                  />
                </NearLink>
              ),
            },
            { name: "Plan", value: PLANS[account.planId].name },
            { name: "Projects", value: projects.length },
          ]}
        />
        {can("account.update") ? (
          <div className="mt-5 max-w-[440px]">
            <CompanyNameForm company={account.companyName} save={renameCompany} />
          </div>
        ) : null}
      </Section>
      {can("alerts.set-chat") ? <AlertChatSection chat={chat} /> : null}
      {can("account.export") ? <AccountExports exports={exports} /> : null}
      {can("account.erase") ? (
        <Section
          isFramed
          text="Everything that is kept of the company, its end users and its people is removed for good, its exports too. Export what you need and download it before that."
          title="Erase the account"
        >
          <EraseAccountButton companyName={account.companyName} doneHref="/panel" erase={eraseAccount} />
        </Section>
      ) : null}
    </>
  );
});
