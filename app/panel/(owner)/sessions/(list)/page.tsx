import { buttonVariants } from "@heroui/styles";
import type { Metadata } from "next";
import { RetryAllButton } from "@/app/panel/(owner)/sessions/(list)/retry-all-button";
import { readList } from "@/app/read-list";
import { LiveRefresh } from "@/components/home/live-refresh";
import { NothingFound, SearchReach } from "@/components/sessions/search-reach";
import { SessionList } from "@/components/sessions/session-list";
import { addressWith } from "@/components/ui/address";
import { DownloadLink } from "@/components/ui/download-link";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import { type Filter, paramsOf } from "@/components/ui/filter-kinds";
import { NearLink } from "@/components/ui/near-link";
import { NothingListed } from "@/components/ui/nothing-listed";
import { PageHeader } from "@/components/ui/page-header";
import { retriedStatus, sessionListQuery, UNANSWERED } from "@/lib/contracts/sessions";
import { decodeTimeCursor } from "@/lib/domain/cursor";
import { isOpenStatus, SESSION_KINDS, SESSION_STATUSES } from "@/lib/domain/session-status";
import { TURN_ERROR_CODES } from "@/lib/domain/turn-errors";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { findSessions } from "@/lib/services/sessions/find-sessions";
import { listTemplateChoices, type TemplateChoices } from "@/lib/services/templates/list-template-choices";
import { nameTemplates } from "@/lib/services/templates/name-templates";

export const metadata: Metadata = { title: "Sessions" };

const PATH = "/panel/sessions";
const STATUS_CHOICES = [
  ...SESSION_STATUSES.map((id) => ({ id, name: id })),
  { id: UNANSWERED, name: "failed, expired since or not" },
];
const KIND_NAMES: Record<(typeof SESSION_KINDS)[number], string> = { chat: "Chat", process: "Processing" };
/** While something runs somebody waits for it. */
const RUNNING_REFRESH_MS = 2_000;
const REFRESH_MS = 10_000;

/** Conversations and processings of the project (§3), newest first. */
export default orSayAway(async function SessionsPage({ searchParams }: PageProps<"/panel/sessions">) {
  const [{ principal, can }, params] = await Promise.all([requirePanel("sessions.view"), searchParams]);
  const [{ data, nextCursor, problem }, templates] = await Promise.all([
    readList(sessionListQuery, params, (query) => findSessions(principal, query)),
    listTemplateChoices(principal, typeof params.templateId === "string" ? params.templateId : undefined),
  ]);
  const names = await nameTemplates(
    principal,
    data.map(({ templateId }) => templateId),
  );
  const filters = filtersOf(templates);
  const chosen = Object.fromEntries(filters.flatMap(paramsOf).map((name) => [name, params[name]]));
  const retried = retriedStatus(chosen);
  const isRunning = data.some(({ status }) => isOpenStatus(status));
  const lookedBackTo = nextCursor === null ? null : decodeTimeCursor(nextCursor)[0];
  const isSearch = Boolean(params.words) && problem === null;
  return (
    <>
      {/* A search reads much, and what it found stays. */}
      {isSearch ? null : <LiveRefresh everyMs={isRunning ? RUNNING_REFRESH_MS : REFRESH_MS} />}
      <PageHeader
        action={
          <>
            {can("sessions.retry-all") && retried && data.some(({ errorCode }) => errorCode) ? (
              <RetryAllButton filters={{ ...chosen, status: retried }} />
            ) : null}
            {can("sessions.export") && data.length > 0 ? (
              <>
                <DownloadLink href={addressWith(`${PATH}/answers.csv`, chosen, {})}>Answers as CSV</DownloadLink>
                <DownloadLink href={addressWith(`${PATH}/sessions.csv`, chosen, {})}>List as CSV</DownloadLink>
              </>
            ) : null}
          </>
        }
        purpose="What your end users asked and what the AI answered, with files, tokens and events."
        title="Sessions"
      />
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <FilterBar filters={filters} />
        <SessionList
          empty={
            isSearch ? (
              <NothingFound lookedBackTo={lookedBackTo} nextCursor={nextCursor} params={params} path={PATH} />
            ) : (
              <NothingListed filters={filters} params={params} problem={problem} title="No session is like that">
                <NoSessions />
              </NothingListed>
            )
          }
          // Other filters or another part: another list.
          key={addressWith("", params, {})}
          nextCursor={nextCursor}
          params={params}
          path={PATH}
          rows={data.map((session) => ({
            ...session,
            templateName: (session.templateId && names.get(session.templateId)) || null,
          }))}
          summary={isSearch ? <SearchReach lookedBackTo={lookedBackTo} /> : undefined}
        />
      </div>
    </>
  );
});

function filtersOf({ templates, hasMore }: TemplateChoices): Filter[] {
  return [
    { kind: "choice", param: "status", label: "Status", choices: STATUS_CHOICES },
    {
      kind: "choice",
      param: "errorCode",
      label: "Error",
      choices: TURN_ERROR_CODES.map((id) => ({ id, name: id })),
    },
    {
      kind: "choice",
      param: "kind",
      label: "Kind",
      choices: SESSION_KINDS.map((id) => ({ id, name: KIND_NAMES[id] })),
    },
    { kind: "text", param: "endUserId", label: "End user", placeholder: "customer-42" },
    {
      kind: "choice",
      param: "templateId",
      label: "Template",
      choices: templates,
      ...(hasMore && {
        others: { text: "Older templates, and from them to their sessions", href: "/panel/templates" },
      }),
    },
    { kind: "text", param: "reference", label: "Reference", placeholder: "order-4711" },
    { kind: "text", param: "words", label: "Words", placeholder: "What was said, a file’s name" },
    { kind: "text", param: "q", label: "Id", placeholder: "Of a session, request, file…" },
    { kind: "dates", param: "from", toParam: "to", label: "When", hasTimes: true },
  ];
}

function NoSessions() {
  return (
    <EmptyState
      text="A session begins with a chat message or a file to process. Send the first one from your backend, or try it in the playground."
      title="No sessions yet"
    >
      <NearLink className={buttonVariants({ variant: "primary", size: "sm" })} href="/panel/playground">
        Open the playground
      </NearLink>
      <NearLink className={buttonVariants({ variant: "outline", size: "sm" })} href="/docs/quick-start">
        Read the quick start
      </NearLink>
    </EmptyState>
  );
}
