import { sendPast } from "@/app/panel/(owner)/api-b2b/webhooks/actions";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import type { Filter } from "@/components/ui/filter-kinds";
import { formatNumber } from "@/components/ui/format-number";
import { NearLink } from "@/components/ui/near-link";
import { NothingListed } from "@/components/ui/nothing-listed";
import { Section } from "@/components/ui/section";
import { TimeText } from "@/components/ui/time-text";
import { SendPastButton } from "@/components/webhooks/send-past-button";
import { type PastEvents as Found, pastEventsQuery } from "@/lib/contracts/deliveries";
import type { Webhook } from "@/lib/contracts/webhooks";
import { parseInput } from "@/lib/panel/action-failure";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { countPastEvents } from "@/lib/services/deliveries/send-past-events";

interface PastEventsProps {
  context: PanelContext;
  webhook: Webhook;
  /** Of the address. */
  params: AddressParams;
}

const FILTERS: Filter[] = [{ kind: "dates", param: "from", toParam: "to", label: "When", hasTimes: true }];
const NONE: Found = { count: 0, hasMore: false, oldestAt: null, lookedUntil: null };

/** What a webhook has not got because it was not there, or did not take such events, when they happened. */
export const PastEvents = orSayAway(async function PastEvents({ context, webhook, params }: PastEventsProps) {
  const span = { from: textOf(params.from), to: textOf(params.to) };
  const parsed = parseInput(pastEventsQuery, span);
  const isRead = "input" in parsed;
  const found = isRead ? await countPastEvents(context.principal, webhook.id, parsed.input) : NONE;
  const lookedAt = { ...span, ...(found.lookedUntil !== null && { to: found.lookedUntil }) };
  return (
    <Section
      text="What happened before this webhook was added, or while it did not take such events. Of what went to another webhook or a callbackUrl the bytes are kept, and can be sent here too."
      title="Past events"
    >
      <FilterBar filters={FILTERS} />
      {found.count > 0 ? (
        <Missing found={found} may={context.can("deliveries.resend")} span={lookedAt} webhook={webhook} />
      ) : found.lookedUntil === null ? (
        <NothingListed
          filters={FILTERS}
          params={params}
          problem={isRead ? null : parsed.failure.message}
          title="Nothing of that time is missing here"
        >
          <EmptyState
            text="This webhook has every event of its kinds that went to any receiver of the project."
            title="Nothing is missing here"
          />
        </NothingListed>
      ) : null}
      {found.lookedUntil === null || found.hasMore ? null : (
        <LookOn
          from={found.lookedUntil}
          href={addressWith(PANEL_ADDRESSES.webhook(webhook.id), params, { from: found.lookedUntil })}
          isNothing={found.count === 0}
        />
      )}
    </Section>
  );
});

interface MissingProps {
  found: Found;
  may: boolean;
  span: { from: string | undefined; to: string | undefined };
  webhook: Webhook;
}

function Missing({ found: { count, hasMore, oldestAt }, may, span, webhook: { id, status } }: MissingProps) {
  const number = formatNumber(count);
  const events = count === 1 ? "past event" : "past events";
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-border bg-surface p-5">
      <div className="min-w-0">
        <p className="font-semibold">
          {number}
          {hasMore ? "+" : ""} {events} not sent here
        </p>
        <p className="mt-0.5 max-w-[72ch] text-pretty text-muted">
          {oldestAt ? (
            <>
              {count === 1 ? "It is from" : "The oldest is from"} <TimeText at={oldestAt} kind="exact" />.
            </>
          ) : null}
          {hasMore ? ` The oldest ${number} go first; the others can be sent after them.` : null}
          {may && status !== "active" ? " Switch the webhook on to send them." : null}
        </p>
      </div>
      {may && status === "active" ? (
        <SendPastButton
          path={PANEL_ADDRESSES.webhook(id)}
          sendPast={sendPast.bind(null, { webhookId: id, ...span })}
          what={hasMore ? `the oldest ${number} ${events}` : `${number} ${events}`}
        />
      ) : null}
    </div>
  );
}

interface LookOnProps {
  /** Until when deliveries were looked at. */
  from: string;
  /** Of the page that looks at those after it. */
  href: string;
  /** Whether none was missing. */
  isNothing: boolean;
}

/** Where there are too many deliveries to look at all at once. */
function LookOn({ from, href, isNothing }: LookOnProps) {
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-border border-dashed p-5">
      <p className="max-w-[72ch] text-pretty text-muted">
        {isNothing ? "Nothing is missing here until " : "The project has many deliveries: those were looked at until "}
        <TimeText at={from} kind="exact" />.
      </p>
      <NearLink className="underline" href={href}>
        Look at later ones
      </NearLink>
    </div>
  );
}

function textOf(param: string | string[] | undefined): string | undefined {
  return (typeof param === "string" && param) || undefined;
}
