import type { ReactNode } from "react";
import { grantCredits, setPlan, setRateLimit, withdrawCredits } from "@/app/staff/accounts/actions";
import { SetPlanButton, SetRateLimitButton } from "@/components/staff/account-buttons";
import { type AskedCredits, GrantCreditsButton, WithdrawCreditsButton } from "@/components/staff/credit-buttons";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { NearLink } from "@/components/ui/near-link";
import { Section } from "@/components/ui/section";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { StaffAccountDetail } from "@/lib/contracts/staff";
import { PLAN_IDS, PLANS } from "@/lib/domain/plans";
import { env } from "@/lib/env";

const PLAN_CHOICES = PLAN_IDS.map((id) => ({ id, name: PLANS[id].name }));

interface AccountSettingsProps {
  account: StaffAccountDetail;
  /** The credits that it has asked for and not been answered; null: none. */
  asked: AskedCredits | null;
  /** The request for another plan that is not answered; null: there is none. */
  planRequestId: string | null;
  /** As of `isOnlyStaff`, for whoever reads. */
  isOnlyStaff: boolean;
}

/** How an account stands, with what staff can change beside each fact. */
export function AccountSettings({ account, asked, planRequestId, isOnlyStaff }: AccountSettingsProps) {
  const { id, keys, createdAt, lastUsedAt } = account;
  return (
    <Section isFramed title="Account">
      <KeyValues
        items={[
          { name: "Id", value: <IdText id={id} label="the account's id" /> },
          { name: "Verification", value: <Verification account={account} /> },
          { name: "Plan", value: <Plan account={account} requestId={planRequestId} /> },
          { name: "Rate limit", value: <RateLimit account={account} /> },
          { name: "Credits", value: <Credits account={account} asked={asked} isOnlyStaff={isOnlyStaff} /> },
          { name: "API keys", value: `${keys.active} in use, ${keys.total} in all` },
          { name: "Last call", value: lastUsedAt ? <TimeText at={lastUsedAt} kind="exact" /> : "Never" },
          { name: "Signed up", value: <TimeText at={createdAt} kind="exact" /> },
        ]}
      />
    </Section>
  );
}

interface FactProps {
  account: StaffAccountDetail;
}

function Verification({ account: { id, verification, verifiedAt } }: FactProps) {
  return (
    <Line>
      <span>
        <StatusDot status={verification} />
        {verification === "verified" && verifiedAt ? (
          <span className="ml-2 text-muted">
            since <TimeText at={verifiedAt} />
          </span>
        ) : null}
      </span>
      <NearLink className="text-accent-text hover:underline" href={STAFF_ADDRESSES.verification(id)}>
        See the verification
      </NearLink>
    </Line>
  );
}

function Plan({ account, requestId }: FactProps & { requestId: string | null }) {
  const { id, plan, rateLimitPerMinute } = account;
  return (
    <Line>
      {PLANS[plan].name}
      <SetPlanButton
        accountId={id}
        action={setPlan}
        hasOwnLimit={rateLimitPerMinute !== null}
        plan={plan}
        plans={PLAN_CHOICES}
        requestId={requestId}
      />
    </Line>
  );
}

function RateLimit({ account: { id, plan, rateLimitPerMinute } }: FactProps) {
  const ofPlan = PLANS[plan].requestsPerMinute;
  return (
    <Line>
      <span>
        {formatNumber(rateLimitPerMinute ?? ofPlan)} per key and minute{" "}
        <span className="text-muted">{rateLimitPerMinute === null ? "as the plan says" : "of its own"}</span>
      </span>
      <SetRateLimitButton
        accountId={id}
        action={setRateLimit}
        ofPlan={ofPlan}
        rateLimitPerMinute={rateLimitPerMinute}
      />
    </Line>
  );
}

type CreditsProps = FactProps & Pick<AccountSettingsProps, "asked" | "isOnlyStaff">;

function Credits({ account: { id, credits, grants }, asked, isOnlyStaff }: CreditsProps) {
  const lastLineId = grants[0]?.id ?? null;
  return (
    <Line>
      <span>
        {formatNumber(credits.balance)}{" "}
        <span className="text-muted">of which {formatNumber(credits.reserved)} reserved</span>
      </span>
      <span className="flex flex-wrap gap-2">
        <GrantCreditsButton
          accountId={id}
          action={grantCredits}
          asked={asked}
          balance={credits.balance}
          isOnlyStaff={isOnlyStaff}
          lastLineId={lastLineId}
          secondAbove={env().STAFF_CREDITS_SECOND_ABOVE}
        />
        <WithdrawCreditsButton
          accountId={id}
          action={withdrawCredits}
          free={credits.balance - credits.reserved}
          lastLineId={lastLineId}
        />
      </span>
    </Line>
  );
}

/** A fact on the left, what can be done about it on the right. */
function Line({ children }: { children: ReactNode }) {
  return <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">{children}</span>;
}
