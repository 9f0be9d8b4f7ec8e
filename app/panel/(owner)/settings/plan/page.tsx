import type { Metadata } from "next";
import type { ReactNode } from "react";
import { askForMore, withdrawRequest } from "@/app/panel/(owner)/settings/plan/actions";
import { AccountRequests, wantedOf } from "@/components/billing/account-requests";
import { AskForCreditsButton, AskForPlanButton } from "@/components/billing/ask-buttons";
import { GrantTable } from "@/components/billing/grant-table";
import { LiveRefresh } from "@/components/home/live-refresh";
import { PlanPanel } from "@/components/overview/plan-panel";
import { formatNumber } from "@/components/ui/format-number";
import { PageHeader } from "@/components/ui/page-header";
import { RowActButton } from "@/components/ui/row-act-button";
import { Section } from "@/components/ui/section";
import { SupportLink } from "@/components/ui/support-link";
import type { AccountRequestRecord } from "@/lib/contracts/account-requests";
import { PLAN_IDS, PLANS } from "@/lib/domain/plans";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { getAccount } from "@/lib/services/account/get-account";
import { listGrants } from "@/lib/services/credits/list-grants";
import { canSendMail } from "@/lib/services/mail/can-send-mail";
import { listRequests } from "@/lib/services/requests/list-requests";

export const metadata: Metadata = { title: "Plan and credits" };

const REFRESH_MS = 30_000;

/** Settings / Plan and credits: what the account may use, what it was given, and the way to more. */
export default orSayAway(async function PlanPage() {
  const context = await requirePanel("billing.view");
  const accountId = context.account.id;
  const [account, requests, grants] = await Promise.all([
    getAccount({ accountId, planId: context.account.planId }),
    listRequests(accountId),
    listGrants(accountId),
  ]);
  return (
    <>
      <LiveRefresh everyMs={REFRESH_MS} keepsForm />
      <PageHeader purpose="Of the account, over all its projects." title="Plan and credits" />
      <PlanPanel
        plan={{ ...account.plan, id: context.account.planId, credits: account.credits }}
        requestsPerMinute={account.limits.requestsPerMinute}
        usageHref="/panel/usage"
      />
      <RequestSection
        context={context}
        hasOwnLimit={account.limits.requestsPerMinute !== PLANS[context.account.planId].requestsPerMinute}
        requests={requests}
      />
      <Section text="The latest, without what calls cost: that is under Usage." title="Credits given and taken">
        <GrantTable grants={grants} hasReasons={context.can("audit.view")} />
      </Section>
    </>
  );
});

interface RequestSectionProps {
  context: PanelContext;
  requests: AccountRequestRecord[];
  /** Whether staff gave the account a rate limit of its own: it stays, whatever its plan. */
  hasOwnLimit: boolean;
}

/** What was asked for, and the way to ask: one of a kind at a time. */
function RequestSection({ context: { account, can }, requests, hasOwnLimit }: RequestSectionProps) {
  const isOpen = (kind: AccountRequestRecord["kind"]) =>
    requests.some((request) => request.kind === kind && request.state === "open");
  const others = PLAN_IDS.filter((id) => id !== account.planId).map((id) => ({
    id,
    name: planWords(id, hasOwnLimit),
  }));
  const mayAsk = can("billing.request");
  return (
    <Section
      action={
        mayAsk ? (
          <span className="flex flex-wrap gap-2">
            {isOpen("credits") ? null : <AskForCreditsButton ask={askForMore} />}
            {isOpen("plan") ? null : <AskForPlanButton ask={askForMore} plans={others} />}
          </span>
        ) : null
      }
      text={mayAsk ? askWords() : "Owners and admins can ask for more credits, or for another plan."}
      title="More credits, or another plan"
    >
      {requests.length === 0 ? (
        <p className="text-muted">Nothing was asked for yet.</p>
      ) : (
        <AccountRequests
          buttonOf={(request) =>
            mayAsk ? (
              <RowActButton
                about={wantedOf(request, PLANS)}
                action={withdrawRequest.bind(null, { requestId: request.id })}
                label="Take back"
                success="Taken back"
              />
            ) : null
          }
          plans={PLANS}
          requests={requests}
        />
      )}
    </Section>
  );
}

function askWords(): ReactNode {
  return (
    <>
      The people who run this service answer here{canSendMail() ? ", and by mail" : ""}. For anything else,{" "}
      <SupportLink>write to the support</SupportLink>.
    </>
  );
}

/** "Growth: 1,200 calls per key and minute, 20,000,000 tokens a month"; without the calls where the account's own limit stays. */
function planWords(id: keyof typeof PLANS, hasOwnLimit: boolean): string {
  const { name, requestsPerMinute, tokensPerMonth } = PLANS[id];
  const tokens = tokensPerMonth === null ? "no limit of tokens" : `${formatNumber(tokensPerMonth)} tokens a month`;
  const calls = hasOwnLimit ? "" : `${formatNumber(requestsPerMinute)} calls per key and minute, `;
  return `${name}: ${calls}${tokens}`;
}
