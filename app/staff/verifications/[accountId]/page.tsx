import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { decide } from "@/app/staff/verifications/actions";
import { AuditTable } from "@/components/staff/audit-table";
import { NextVerificationLink } from "@/components/staff/next-verification-link";
import { Review } from "@/components/staff/review";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import { CompanyFacts } from "@/components/verification/company-facts";
import { DueClock } from "@/components/verification/due-clock";
import { SubmissionHistory } from "@/components/verification/submission-history";
import type { StaffAccountDetail } from "@/lib/contracts/staff";
import type { Verification } from "@/lib/contracts/verification";
import { AppError } from "@/lib/domain/errors";
import { PLANS } from "@/lib/domain/plans";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { serviceNow } from "@/lib/services/clock/service-now";
import { getAccountDetail } from "@/lib/services/staff/get-account-detail";
import { listAllAuditEntries } from "@/lib/services/staff/list-all-audit-entries";
import { getVerification } from "@/lib/services/verification/get-verification";
import { nextVerification } from "@/lib/services/verification/next-verification";

const MOST_LINES = 50;

/** Looked up once for the page and its title. */
const findAccount = cache(async (accountId: string) => {
  const { user } = await requireStaff("staff.verifications.view");
  const account = await getAccountDetail(accountId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return { user, account };
});

export const generateMetadata = orSayAway(
  async ({ params }: PageProps<"/staff/verifications/[accountId]">): Promise<Metadata> => {
    const { account } = await findAccount((await params).accountId);
    return { title: `${account.companyName}: verification` };
  },
);

/** One company's verification: what it handed in, who it is, what was said before, and the decision. */
export default orSayAway(async function VerificationPage({ params }: PageProps<"/staff/verifications/[accountId]">) {
  const { accountId } = await params;
  const { account } = await findAccount(accountId);
  const [verification, now, audit] = await Promise.all([
    getVerification({ accountId }),
    serviceNow(),
    listAllAuditEntries({ accountId, action: "verification", limit: MOST_LINES }),
  ]);
  const [current, ...earlier] = verification.submissions;
  const next = current ? await nextVerification(accountId, current) : null;
  return (
    <>
      <PageHeader
        action={
          <>
            <StatusDot status={verification.status} />
            {next ? <NextVerificationLink next={next} /> : null}
          </>
        }
        back={{ href: "/staff/verifications", name: "Verifications" }}
        purpose={current ? `Round ${current.round} of its verification.` : "Nothing was handed in."}
        title={<bdi>{account.companyName}</bdi>}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_360px]">
        {/* Each in a place of its own: sections keep a distance from what stands before them. */}
        <div>{current ? <Current account={account} now={now} verification={verification} /> : null}</div>
        <div>
          <AccountFacts account={account} />
        </div>
      </div>
      {earlier.length > 0 ? (
        <Section text="What was handed in before, and what was answered." title="Earlier rounds">
          <SubmissionHistory submissions={earlier} />
        </Section>
      ) : null}
      {audit.data.length > 0 ? (
        <Section text="From the audit log." title="Who did what">
          <AuditTable empty={null} entries={audit.data} hasAccount={false} />
        </Section>
      ) : null}
    </>
  );
});

interface CurrentProps {
  account: StaffAccountDetail;
  verification: Verification;
  now: Date;
}

function Current({ account, verification, now }: CurrentProps) {
  const [current, previous] = verification.submissions;
  if (!current) return null;
  const { dueAt, submittedAt, decidedAt, message } = current;
  const isWaiting = current.status === "pending" && verification.status === "pending";
  const facts = (
    <CompanyFacts
      before={previous?.company}
      company={current.company}
      // Beside an answer stands what it answers.
      messages={isWaiting ? previous?.fieldMessages : current.fieldMessages}
    />
  );
  return (
    <Section
      isFramed
      text={
        <>
          Handed in <TimeText at={submittedAt} />
          {decidedAt ? (
            <>
              , decided <TimeText at={decidedAt} />
            </>
          ) : null}
          .
        </>
      }
      title="Company data"
    >
      {isWaiting ? (
        <div className="mb-5">
          <DueClock dueAt={dueAt} serverNow={now.toISOString()} submittedAt={submittedAt} />
        </div>
      ) : null}
      {message ? <Message text={message} /> : null}
      {isWaiting && previous?.message ? <Message text={previous.message} /> : null}
      {isWaiting ? (
        <Review companyName={account.companyName} decide={decide} submission={current}>
          {facts}
        </Review>
      ) : (
        facts
      )}
    </Section>
  );
}

/** What staff wrote about the whole of a submission. */
function Message({ text }: { text: string }) {
  return (
    <blockquote className="mb-4 border-warning border-l-2 pl-3">
      <p className="text-code text-muted">Message to the company</p>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        <bdi>{text}</bdi>
      </p>
    </blockquote>
  );
}

function AccountFacts({ account }: { account: StaffAccountDetail }) {
  return (
    <Section isFramed title="Account">
      <KeyValues
        items={[
          {
            name: "Account",
            value: <IdText href={STAFF_ADDRESSES.account(account.id)} id={account.id} label="the account's id" />,
          },
          { name: "Signed up", value: <TimeText at={account.createdAt} kind="exact" /> },
          { name: "Verified", value: account.verifiedAt && <TimeText at={account.verifiedAt} kind="exact" /> },
          { name: "Plan", value: PLANS[account.plan].name },
          { name: "Credits", value: formatNumber(account.credits.balance) },
          { name: "API keys", value: `${account.keys.active} in use of ${account.keys.total}` },
          {
            name: "People",
            value: (
              <ul>
                {account.members.map(({ userId, email, role }) => (
                  <li key={userId}>
                    {email} <span className="text-muted">{role}</span>
                  </li>
                ))}
              </ul>
            ),
          },
          {
            name: "Projects",
            value: (
              <ul>
                {account.projects.map(({ id, name }) => (
                  <li key={id}>
                    <bdi>{name}</bdi>
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </Section>
  );
}
