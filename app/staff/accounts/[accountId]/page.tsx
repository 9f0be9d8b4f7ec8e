import { TriangleAlert } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { AccountSettings } from "@/app/staff/accounts/[accountId]/account-settings";
import { confirmCredits, declineRequest, refuseCredits, restore, suspend } from "@/app/staff/accounts/actions";
import { AccountRequests, wantedOf } from "@/components/billing/account-requests";
import { GrantTable } from "@/components/billing/grant-table";
import { RestoreButton, SuspendButton } from "@/components/staff/account-buttons";
import { MemberTable, ProjectTable } from "@/components/staff/account-lists";
import { AccountUse } from "@/components/staff/account-use";
import { AuditTable } from "@/components/staff/audit-table";
import { CreditRequests } from "@/components/staff/credit-requests";
import { DeclineButton } from "@/components/staff/decline-button";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { WebhookList } from "@/components/staff/webhook-list";
import { addressWith } from "@/components/ui/address";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { TimeText } from "@/components/ui/time-text";
import type { AccountRequestRecord } from "@/lib/contracts/account-requests";
import type { StaffAccountDetail, StaffAuditEntry } from "@/lib/contracts/staff";
import { AppError } from "@/lib/domain/errors";
import { PLANS } from "@/lib/domain/plans";
import type { SuspendingAction } from "@/lib/domain/verification";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { canSendMail } from "@/lib/services/mail/can-send-mail";
import { listRequests } from "@/lib/services/requests/list-requests";
import { findSuspension } from "@/lib/services/staff/find-suspension";
import { getAccountDetail } from "@/lib/services/staff/get-account-detail";
import { getAccountUsage } from "@/lib/services/staff/get-account-usage";
import { isOnlyStaff } from "@/lib/services/staff/is-only-staff";
import { listAccountWebhooks } from "@/lib/services/staff/list-account-webhooks";
import { listAllAuditEntries } from "@/lib/services/staff/list-all-audit-entries";
import { listCreditRequests } from "@/lib/services/staff/list-credit-requests";

const LATEST_LINES = 20;
const ERASURE = "account.request-erasure" satisfies SuspendingAction;

/** Looked up once for the page and its title. */
const findAccount = cache(async (accountId: string) => {
  const { user } = await requireStaff("staff.accounts.view");
  const account = await getAccountDetail(accountId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return { user, account };
});

export const generateMetadata = orSayAway(
  async ({ params }: PageProps<"/staff/accounts/[accountId]">): Promise<Metadata> => {
    const { account } = await findAccount((await params).accountId);
    return { title: account.companyName };
  },
);

/** One company: how it stands, what it uses, who is in it, and everything that staff can change. */
export default orSayAway(async function AccountPage({ params }: PageProps<"/staff/accounts/[accountId]">) {
  const { accountId } = await params;
  const { user, account } = await findAccount(accountId);
  const [days, audit, suspension, grants, requests, webhooks, isAlone] = await Promise.all([
    getAccountUsage(accountId),
    listAllAuditEntries({ accountId, limit: LATEST_LINES }),
    findSuspension(accountId),
    listCreditRequests(accountId),
    listRequests(accountId),
    listAccountWebhooks(accountId),
    isOnlyStaff(user.id),
  ]);
  const open = requests.filter(({ state }) => state === "open");
  return (
    <>
      <AccountHeader account={account} />
      {account.verification === "suspended" ? <Suspension entry={suspension} /> : null}
      <AccountSettings
        account={account}
        asked={open.find(({ kind }) => kind === "credits") ?? null}
        isOnlyStaff={isAlone}
        planRequestId={open.find(({ kind }) => kind === "plan")?.id ?? null}
      />
      {requests.length > 0 ? <AskedFor requests={requests} /> : null}
      {grants.length > 0 ? (
        <Section text="Large grants, each confirmed or refused by somebody else within 7 days." title="Grants by two">
          <CreditRequests
            confirm={confirmCredits}
            isOnlyStaff={isAlone}
            refuse={refuseCredits}
            requests={grants}
            userId={user.id}
          />
        </Section>
      ) : null}
      <Section title="Use">
        <AccountUse days={days} period={account.usedThisPeriod} />
      </Section>
      <Section text="Those that nothing is sent to first." title="Webhooks">
        <WebhookList webhooks={webhooks} />
      </Section>
      <Section title="People">
        <MemberTable members={account.members} />
      </Section>
      <Section title="Projects">
        <ProjectTable projects={account.projects} />
      </Section>
      <Section text="The latest, without what calls cost." title="Credits given and taken">
        <GrantTable grants={account.grants} hasReasons />
      </Section>
      <Section
        action={<Way href={STAFF_ADDRESSES.auditOf(accountId)}>See all</Way>}
        text="The latest lines."
        title="Audit log"
      >
        <AuditTable
          empty={<p className="text-muted">Nothing was changed yet.</p>}
          entries={audit.data}
          hasAccount={false}
          hrefOf={(entry) => addressWith("/staff/audit-log", { accountId }, { entry: entry.id })}
        />
      </Section>
    </>
  );
});

function AskedFor({ requests }: { requests: AccountRequestRecord[] }) {
  return (
    <Section
      text="Credits that are granted answer what is open, and so does the plan that was asked for. Or say why not."
      title="What it asked for"
    >
      <AccountRequests
        buttonOf={({ id, companyName, ...request }) => (
          <DeclineButton
            companyName={companyName}
            decline={declineRequest}
            requestId={id}
            wanted={wantedOf(request, PLANS)}
          />
        )}
        plans={PLANS}
        requests={requests}
      />
    </Section>
  );
}

function AccountHeader({ account: { id, companyName, verification } }: { account: StaffAccountDetail }) {
  return (
    <PageHeader
      action={
        verification === "suspended" ? (
          <RestoreButton accountId={id} action={restore} />
        ) : (
          <SuspendButton accountId={id} action={suspend} canMail={canSendMail()} companyName={companyName} />
        )
      }
      back={{ href: "/staff/accounts", name: "Accounts" }}
      purpose={
        <>
          <Way href={STAFF_ADDRESSES.callsOf(id)}>Its calls</Way>,{" "}
          <Way href={STAFF_ADDRESSES.deliveriesOf(id)}>its deliveries</Way>,{" "}
          <Way href={STAFF_ADDRESSES.auditOf(id)}>its audit log</Way>
        </>
      }
      title={<bdi>{companyName}</bdi>}
    />
  );
}

function Way({ href, children }: { href: string; children: string }) {
  return (
    <NearLink className="text-accent-text hover:underline" href={href}>
      {children}
    </NearLink>
  );
}

/** Why the account is closed, and since when. */
function Suspension({ entry }: { entry: StaffAuditEntry | null }) {
  return (
    <div className="mb-6 flex gap-3 rounded-xl border border-border bg-surface p-4">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0">
        <p className="font-semibold">This account is suspended</p>
        <p className="mt-0.5 max-w-[72ch] text-pretty text-muted [overflow-wrap:anywhere]">
          Its keys answer 403 B2B_NOT_VERIFIED.{" "}
          {entry ? (
            <>
              {entry.action === ERASURE ? "Its erasure was asked for" : "Suspended"} <TimeText at={entry.createdAt} />{" "}
              by {entry.actorEmail ?? entry.actorKind}
              {entry.reason ? (
                <>
                  : <bdi>{entry.reason}</bdi>
                </>
              ) : (
                "."
              )}
            </>
          ) : null}
        </p>
      </div>
    </div>
  );
}
