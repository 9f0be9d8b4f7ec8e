import { AccountRequests, wantedOf } from "@/components/billing/account-requests";
import { CompanyLink } from "@/components/staff/company-link";
import { DeclineButton } from "@/components/staff/decline-button";
import type { ReasonedAction } from "@/components/staff/reason-dialog";
import type { AccountRequestRecord } from "@/lib/contracts/account-requests";

/** So that what stands below stays in sight. */
const MOST_SHOWN = 5;

interface AccountRequestQueueProps {
  requests: AccountRequestRecord[];
  /** The plans' names by their ids. */
  plans: Record<string, { name: string }>;
  decline: ReasonedAction<{ requestId: string }>;
}

/** What companies ask for, the oldest first; of many the rest is folded away, for what waits longest may wait for a payment. */
export function AccountRequestQueue({ requests, plans, decline }: AccountRequestQueueProps) {
  const rest = requests.slice(MOST_SHOWN);
  return (
    <>
      <Part decline={decline} plans={plans} requests={requests.slice(0, MOST_SHOWN)} />
      {rest.length > 0 ? (
        <details className="mt-2">
          <summary className="mb-2 w-fit cursor-pointer py-0.5 text-accent-text text-code">
            Show the other {rest.length}
          </summary>
          <Part decline={decline} plans={plans} requests={rest} />
        </details>
      ) : null}
    </>
  );
}

function Part({ requests, plans, decline }: AccountRequestQueueProps) {
  return (
    <AccountRequests
      buttonOf={({ id, companyName, ...request }) => (
        <DeclineButton companyName={companyName} decline={decline} requestId={id} wanted={wantedOf(request, plans)} />
      )}
      companyOf={(request) => <CompanyLink {...request} />}
      plans={plans}
      requests={requests}
    />
  );
}
