import type { Metadata } from "next";
import { z } from "zod";
import { readList } from "@/app/read-list";
import { confirmCredits, declineRequest, refuseCredits } from "@/app/staff/accounts/actions";
import { LiveRefresh } from "@/components/home/live-refresh";
import { AccountRequestQueue } from "@/components/staff/account-request-queue";
import { CreditRequests } from "@/components/staff/credit-requests";
import { VerificationTable } from "@/components/staff/verification-table";
import { cursorHrefs } from "@/components/ui/cursor-trail";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/pagination";
import { Section } from "@/components/ui/section";
import { TabLinks } from "@/components/ui/tab-links";
import { UnreadableFilter } from "@/components/ui/unreadable-filter";
import { cursorFields } from "@/lib/contracts/panel-lists";
import { PLANS } from "@/lib/domain/plans";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { listRequests } from "@/lib/services/requests/list-requests";
import { isOnlyStaff } from "@/lib/services/staff/is-only-staff";
import { listCreditRequests } from "@/lib/services/staff/list-credit-requests";
import { listVerifications } from "@/lib/services/verification/list-verifications";

export const metadata: Metadata = { title: "Verifications" };

const PATH = "/staff/verifications";
const REFRESH_MS = 30_000;
const STATES = ["pending", "more_info", "approved", "rejected"] as const;
const TABS = [
  { id: "pending", name: "Waiting" },
  { id: "more_info", name: "Asked for more" },
  { id: "approved", name: "Approved" },
  { id: "rejected", name: "Rejected" },
];
const query = z.object({ status: z.enum(STATES).default("pending"), ...cursorFields });

/** The companies that wait for a decision, the most urgent first, and those that were decided about (§5.4, §8). */
export default orSayAway(async function VerificationsPage({ searchParams }: PageProps<"/staff/verifications">) {
  const [params, { user }] = await Promise.all([searchParams, requireStaff("staff.verifications.view")]);
  const [{ data, nextCursor, problem }, grants, requests, isAlone] = await Promise.all([
    readList(query, params, listVerifications),
    listCreditRequests(),
    listRequests(),
    isOnlyStaff(user.id),
  ]);
  const status = STATES.find((state) => state === params.status) ?? "pending";
  const isQueue = status === "pending";
  return (
    <>
      {isQueue ? <LiveRefresh everyMs={REFRESH_MS} restsUntouched /> : null}
      <PageHeader
        purpose="Companies that want API keys. Each is decided within 48 hours of what they handed in."
        title="Verifications"
      />
      {grants.length > 0 ? (
        <div className="mb-8">
          <Section text="Large grants of credits that a colleague asked for." title="Waiting for a second person">
            <CreditRequests
              confirm={confirmCredits}
              hasAccount
              isOnlyStaff={isAlone}
              refuse={refuseCredits}
              requests={grants}
              userId={user.id}
            />
          </Section>
        </div>
      ) : null}
      {requests.length > 0 ? (
        <div className="mb-8">
          <Section text="Credits or another plan, the oldest first." title="Companies ask for more">
            <AccountRequestQueue decline={declineRequest} plans={PLANS} requests={requests} />
          </Section>
        </div>
      ) : null}
      <TabLinks current={status} label="State" param="status" params={{}} path={PATH} tabs={TABS} />
      <VerificationTable
        empty={problem === null ? <NoVerifications isQueue={isQueue} /> : <UnreadableFilter problem={problem} />}
        isQueue={isQueue}
        items={data}
      />
      {data.length > 0 ? (
        <PageLinks
          {...cursorHrefs(PATH, params, nextCursor)}
          summary={isQueue ? "In the order in which they are due" : "Last handed in first"}
        />
      ) : null}
    </>
  );
});

function NoVerifications({ isQueue }: { isQueue: boolean }) {
  return (
    <EmptyState
      text={
        isQueue
          ? "A company that hands in its data appears here with the time until it is due."
          : "Submissions that were decided this way are listed here."
      }
      title={isQueue ? "Nobody is waiting" : "None yet"}
    />
  );
}
