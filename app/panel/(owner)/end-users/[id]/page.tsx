import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { EndUserData } from "@/app/panel/(owner)/end-users/[id]/end-user-data";
import { EndUserMemory } from "@/app/panel/(owner)/end-users/[id]/end-user-memory";
import { EndUserLinks } from "@/components/end-users/end-user-links";
import { formatBounded } from "@/components/end-users/end-user-table";
import { SessionLines } from "@/components/sessions/session-lines";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { CopyButton } from "@/components/ui/copy-button";
import { formatNumber } from "@/components/ui/format-number";
import { monthCredits } from "@/components/ui/month-credits";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { Stats } from "@/components/ui/stats";
import { TabLinks } from "@/components/ui/tab-links";
import { TimeText } from "@/components/ui/time-text";
import type { EndUserDetail } from "@/lib/contracts/end-users";
import type { SessionSummary } from "@/lib/contracts/sessions";
import { isEndUserId } from "@/lib/domain/end-user-id";
import { AppError } from "@/lib/domain/errors";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { listDataRequests } from "@/lib/services/data-rights/list-data-requests";
import { getEndUser } from "@/lib/services/end-users/get-end-user";
import { searchSessions } from "@/lib/services/sessions/search-sessions";

const PATH = "/panel/end-users";
const MOST_RECEIPTS = 20;
const NEWEST_SESSIONS = 10;

/** Looked up once for the page and its title. Null: erased, of whom nothing but receipts is left. */
const findEndUser = cache(async (param: string) => {
  const context = await requirePanel("end-users.view");
  const endUserId = decodeId(param);
  const [endUser, receipts] = await Promise.all([
    getEndUser(context.principal, endUserId).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "NOT_FOUND") return null;
      throw error;
    }),
    listDataRequests(context.principal, { limit: MOST_RECEIPTS, endUserId }),
  ]);
  if (!endUser && receipts.data.length === 0) notFound();
  return { context, endUserId, endUser, receipts: receipts.data };
});

export const generateMetadata = orSayAway(async ({ params }: PageProps<"/panel/end-users/[id]">): Promise<Metadata> => {
  const { endUserId } = await findEndUser((await params).id);
  return { title: endUserId };
});

/** One end user: what they used, what is remembered of them, what is exported and erased. */
export default orSayAway(async function EndUserPage({ params, searchParams }: PageProps<"/panel/end-users/[id]">) {
  const [{ id }, query] = await Promise.all([params, searchParams]);
  const { context, endUserId, endUser, receipts } = await findEndUser(id);
  const path = PANEL_ADDRESSES.endUser(endUserId);
  const tab = query.tab === "memory" || query.tab === "data" ? query.tab : "overview";
  const sessions =
    endUser && tab === "overview"
      ? (await searchSessions(context.principal, { endUserId, limit: NEWEST_SESSIONS })).data
      : null;
  return (
    <>
      <PageHeader
        action={<CopyButton label="the end user's id" text={endUserId} />}
        back={{ href: PATH, name: "End users" }}
        purpose={
          endUser ? (
            <>
              <Seen endUser={endUser} />. See their <EndUserLinks endUserId={endUserId} />.
            </>
          ) : (
            "Nothing is kept of this end user. These receipts are left."
          )
        }
        title={<span className="font-mono">{endUserId}</span>}
      />
      {endUser ? (
        <>
          <TabLinks
            current={tab}
            label="Parts of the end user"
            params={{}}
            path={path}
            tabs={[
              { id: "overview", name: "Overview" },
              { id: "memory", name: "Memory" },
              { id: "data", name: "Export and erase" },
            ]}
          />
          {sessions ? (
            <Overview allowance={context.principal.allowances.endUser} endUser={endUser} newest={sessions} />
          ) : null}
          {tab === "memory" ? <EndUserMemory context={context} endUserId={endUserId} query={query} /> : null}
        </>
      ) : null}
      {tab === "data" || !endUser ? (
        <EndUserData context={context} endUserId={endUserId} isThere={endUser !== null} receipts={receipts} />
      ) : null}
    </>
  );
});

function Seen({ endUser: { createdAt, lastSeenAt } }: { endUser: EndUserDetail }) {
  return (
    <>
      First seen <TimeText at={createdAt} />, last seen <TimeText at={lastSeenAt} />
    </>
  );
}

interface OverviewProps {
  /** Credits that each end user may use in a month; null: no limit. */
  allowance: number | null;
  endUser: EndUserDetail;
  newest: SessionSummary[];
}

function Overview({ allowance, endUser, newest }: OverviewProps) {
  const {
    endUserId,
    sessions,
    requests,
    tokensIn,
    tokensOut,
    creditsUsed,
    creditsThisMonth,
    files,
    memory,
    hasMemory,
  } = endUser;
  return (
    <>
      <Stats
        items={[
          { name: "Sessions", value: formatBounded(sessions) },
          { name: "Requests", value: formatNumber(requests) },
          {
            name: "Tokens",
            value: formatNumber(tokensIn + tokensOut),
            note: `${formatNumber(tokensIn)} in, ${formatNumber(tokensOut)} out`,
          },
          { name: "Credits", value: formatNumber(creditsUsed), note: monthCredits(creditsThisMonth, allowance) },
          { name: "Files", value: formatNumber(files) },
          { name: "Memory", value: hasMemory && memory ? `Version ${memory.version}` : "Nothing" },
        ]}
      />
      <div className="mt-10">
        <Section
          action={
            sessions.count > newest.length ? (
              <NearLink
                className="text-accent-text hover:underline"
                href={PANEL_ADDRESSES.sessionsOfEndUser(endUserId)}
              >
                All sessions
              </NearLink>
            ) : null
          }
          title="Newest sessions"
        >
          <SessionLines
            emptyText="They stand here once this end user was named in a call."
            hrefOf={PANEL_ADDRESSES.session}
            sessions={newest}
          />
        </Section>
      </div>
    </>
  );
}

/** Next gives parts of an address as they were sent. */
function decodeId(param: string): string {
  try {
    const endUserId = decodeURIComponent(param);
    if (isEndUserId(endUserId)) return endUserId;
  } catch {
    // Not an address that anything here made.
  }
  notFound();
}
