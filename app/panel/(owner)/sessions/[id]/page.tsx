import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { SessionActions } from "@/app/panel/(owner)/sessions/[id]/session-actions";
import { LiveRefresh } from "@/components/home/live-refresh";
import { Conversation } from "@/components/sessions/conversation";
import { SessionFacts } from "@/components/sessions/session-facts";
import { SessionFiles } from "@/components/sessions/session-files";
import { SessionStanding } from "@/components/sessions/session-standing";
import { SessionTimeline } from "@/components/sessions/session-timeline";
import { TurnPages } from "@/components/sessions/turn-pages";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { addressWith } from "@/components/ui/address";
import { PageHeader } from "@/components/ui/page-header";
import { TabLinks } from "@/components/ui/tab-links";
import { type SessionDetail, turnPlaceQuery } from "@/lib/contracts/sessions";
import { cutText } from "@/lib/domain/cut-text";
import { AppError } from "@/lib/domain/errors";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { findCallToRepeat } from "@/lib/services/sessions/find-call-to-repeat";
import { getSessionDetail } from "@/lib/services/sessions/get-session-detail";
import { nameTemplates } from "@/lib/services/templates/name-templates";

const MAX_TITLE_CHARACTERS = 56;
const OPEN_REFRESH_MS = 3_000;
const REFRESH_MS = 10_000;

/** Looked up once for the page and its title. */
const findSession = cache(async (id: string, before: number | undefined) => {
  const context = await requirePanel("sessions.view");
  const session = await getSessionDetail(context.principal, id, before).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return { context, session };
});

export const generateMetadata = orSayAway(
  async ({ params, searchParams }: PageProps<"/panel/sessions/[id]">): Promise<Metadata> => {
    const [{ id }, query] = await Promise.all([params, searchParams]);
    const { session } = await findSession(id, turnPlaceQuery.parse(query).before);
    return { title: titleOf(session) };
  },
);

/** One session: its conversation as it goes on, its files, what the AI saw, and what happened when. */
export default orSayAway(async function SessionPage({ params, searchParams }: PageProps<"/panel/sessions/[id]">) {
  const [{ id }, query] = await Promise.all([params, searchParams]);
  const { before } = turnPlaceQuery.parse(query);
  const { context, session } = await findSession(id, before);
  const [names, toRepeat] = await Promise.all([
    nameTemplates(context.principal, [session.templateId]),
    findCallToRepeat(context.principal, id),
  ]);
  const path = PANEL_ADDRESSES.session(id);
  const fileCount = session.turns.reduce((count, { files }) => count + files.length, 0);
  const tabs = [
    { id: "conversation", name: "Conversation" },
    { id: "files", name: "Files", count: fileCount },
    { id: "timeline", name: "Timeline" },
  ];
  const tab = tabs.find((candidate) => candidate.id === query.tab)?.id ?? "conversation";
  return (
    <>
      <LiveRefresh everyMs={session.openTurns > 0 ? OPEN_REFRESH_MS : REFRESH_MS} />
      <PageHeader
        action={<SessionActions context={context} isToRepeat={toRepeat !== null} session={session} />}
        back={{ href: "/panel/sessions", name: "Sessions" }}
        purpose={<SessionStanding session={session} />}
        title={<bdi>{titleOf(session)}</bdi>}
      />
      <TabLinks current={tab} label="Parts of the session" params={{ before: query.before }} path={path} tabs={tabs} />
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0">
          <TurnPages
            earlierHref={addressWith(path, query, { before: String(session.earlierTurns) })}
            earlierTurns={session.earlierTurns}
            newestHref={before ? addressWith(path, query, { before: null }) : null}
          >
            <Part path={path} session={session} tab={tab} />
          </TurnPages>
        </div>
        <aside aria-label="Facts" className="lg:border-separator lg:border-l lg:pl-6">
          <SessionFacts
            addresses={PANEL_ADDRESSES}
            session={session}
            templateName={(session.templateId && names.get(session.templateId)) || null}
          />
        </aside>
      </div>
    </>
  );
});

interface PartProps {
  tab: string;
  session: SessionDetail;
  path: string;
}

function Part({ tab, session, path }: PartProps) {
  const { turns, endUserId, timeline } = session;
  const fileHrefOf = (fileId: string) => `${path}/files/${fileId}`;
  if (tab === "files") return <SessionFiles hrefOf={fileHrefOf} turns={turns} />;
  if (tab === "timeline") {
    return <SessionTimeline deliveryHrefOf={PANEL_ADDRESSES.delivery} entries={timeline} turns={turns} />;
  }
  return (
    <Conversation
      addresses={{
        call: PANEL_ADDRESSES.call,
        template: PANEL_ADDRESSES.template,
        file: fileHrefOf,
        memory: endUserId && PANEL_ADDRESSES.endUser(endUserId),
        stream: `${path}/stream`,
      }}
      session={session}
    />
  );
}

function titleOf({ fileName, preview, kind }: SessionDetail): string {
  const title = fileName ?? preview;
  if (title === "") return kind === "chat" ? "Chat" : "Processing";
  return title.length > MAX_TITLE_CHARACTERS ? `${cutText(title, MAX_TITLE_CHARACTERS).trimEnd()}…` : title;
}
