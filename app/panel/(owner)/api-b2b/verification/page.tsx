import type { Metadata } from "next";
import { submitCompany } from "@/app/panel/(owner)/api-b2b/verification/actions";
import { LiveRefresh } from "@/components/home/live-refresh";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { CompanyFacts } from "@/components/verification/company-facts";
import { CompanyForm } from "@/components/verification/company-form";
import { listCountries } from "@/components/verification/country-names";
import { SubmissionHistory } from "@/components/verification/submission-history";
import { VerificationOpens } from "@/components/verification/verification-opens";
import { VerificationState, type VerificationStateProps } from "@/components/verification/verification-state";
import type { CompanyData, Verification } from "@/lib/contracts/verification";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { serviceNow } from "@/lib/services/clock/service-now";
import { canSendMail } from "@/lib/services/mail/can-send-mail";
import { getVerification } from "@/lib/services/verification/get-verification";

export const metadata: Metadata = { title: "Verification" };

const REFRESH_MS = 30_000;

/** API B2B / Verification: the company's data, how its check stands, what was asked and answered (§5.4, §8). */
export default orSayAway(async function VerificationPage() {
  const context = await requirePanel("verification.view");
  const [verification, now] = await Promise.all([getVerification(context.principal), serviceNow()]);
  const { status, submissions } = verification;
  return (
    <>
      <LiveRefresh everyMs={REFRESH_MS} keepsForm />
      <PageHeader
        purpose="Which company stands behind this account. People check it once, within 48 hours."
        title="Verification"
      />
      <VerificationState mailTo={mailToOf(context)} serverNow={now.toISOString()} verification={verification} />
      <CompanySection context={context} verification={verification} />
      <Section title={status === "verified" ? "What it opened" : "What it opens"}>
        <VerificationOpens isVerified={status === "verified"} />
      </Section>
      {submissions.length > 0 ? (
        <Section text="What you handed in each time, and what was answered." title="History">
          <SubmissionHistory submissions={submissions} />
        </Section>
      ) : null}
    </>
  );
});

/** Who hears by mail of what is decided: those who can hand the data in, as `mailOwners` has it. */
function mailToOf({ user, can }: PanelContext): VerificationStateProps["mailTo"] {
  if (!canSendMail()) return null;
  return can("verification.submit") ? { email: user.email } : "owners and admins";
}

/** The form while something can be handed in, else what was; nothing when there is neither. */
function CompanySection({ context, verification }: { context: PanelContext; verification: Verification }) {
  const { canSubmit, status, submissions } = verification;
  const [current] = submissions;
  if (canSubmit && context.can("verification.submit")) {
    const isFirst = current === undefined;
    return (
      <Section isFramed title="Your company">
        <CompanyForm
          company={current?.company ?? firstDraft(context)}
          countries={listCountries()}
          key={current?.id}
          messages={current?.fieldMessages ?? {}}
          submit={submitCompany}
          submitLabel={isFirst ? "Hand in" : status === "more_info" ? "Answer and hand in" : "Hand in again"}
        />
      </Section>
    );
  }
  if (!current) {
    return canSubmit ? (
      <Section isFramed title="Your company">
        <p className="text-muted">An owner or admin of the account hands the company's data in.</p>
      </Section>
    ) : null;
  }
  return (
    <Section
      isFramed
      text={canSubmit ? "An owner or admin of the account answers and hands it in again." : undefined}
      title="Your company"
    >
      <CompanyFacts company={current.company} messages={canSubmit ? current.fieldMessages : {}} />
    </Section>
  );
}

/** What is known already. */
function firstDraft({ account, user }: PanelContext): Partial<CompanyData> {
  return { legalName: account.companyName, contactName: user.name ?? "", contactEmail: user.email };
}
