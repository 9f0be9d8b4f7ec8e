import { buttonVariants } from "@heroui/styles";
import type { Metadata } from "next";
import { findCall, readDeliveries } from "@/app/panel/(owner)/api-b2b/logs/read-call";
import { readList } from "@/app/read-list";
import { CallFacts } from "@/components/calls/call-facts";
import { CallLog } from "@/components/calls/call-log";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { addressWith } from "@/components/ui/address";
import { cursorHrefs } from "@/components/ui/cursor-trail";
import { DownloadLink } from "@/components/ui/download-link";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import { type Filter, paramsOf } from "@/components/ui/filter-kinds";
import { NearLink } from "@/components/ui/near-link";
import { NothingListed } from "@/components/ui/nothing-listed";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/pagination";
import { SidePanel } from "@/components/ui/side-panel";
import { CALL_ERROR_CODES, type CallDetail, callListQuery, STATUS_CLASSES } from "@/lib/contracts/call-log";
import type { DeliveryRecord } from "@/lib/contracts/deliveries";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { ANY_PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { type KeyChoice, type KeyChoices, listKeyChoices } from "@/lib/services/api-keys/list-key-choices";
import { listCalls } from "@/lib/services/call-log/list-calls";
import { listCallsAfter } from "@/lib/services/call-log/tail-calls";

export const metadata: Metadata = { title: "Logs" };

const PATH = "/panel/api-b2b/logs";
const STATUS_NAMES: Record<(typeof STATUS_CLASSES)[number], string> = {
  "2xx": "2xx, done",
  "3xx": "3xx, unchanged",
  "4xx": "4xx, refused",
  "5xx": "5xx, our fault",
};

/** API B2B / Logs: every call that a key of the project made (§5.9). */
export default orSayAway(async function LogsPage({ searchParams }: PageProps<"/panel/api-b2b/logs">) {
  const [context, params] = await Promise.all([requirePanel("logs.view"), searchParams]);
  const { principal, can } = context;
  // Before the list is read: what comes in between comes twice rather than not at all.
  const tail = await listCallsAfter(principal, { limit: 1 });
  const [list, keys, open] = await Promise.all([
    readList(callListQuery, params, (query) => listCalls(principal, query)),
    listKeyChoices(principal, typeof params.keyId === "string" ? params.keyId : undefined),
    findCall(principal, params.call),
  ]);
  const { data, nextCursor, problem } = list;
  const filters = filtersOf(keys);
  const chosen = Object.fromEntries(filters.flatMap(paramsOf).map((name) => [name, params[name]]));
  // Older parts and spans that are over do not grow.
  const isLive = problem === null && !params.cursor && !params.to;
  return (
    <>
      <PageHeader
        action={
          can("logs.export") && data.length > 0 ? (
            <DownloadLink href={addressWith(`${PATH}/calls.csv`, chosen, {})}>CSV</DownloadLink>
          ) : undefined
        }
        purpose="Every call your keys make: what was asked, how it ended, how long it took and what it cost."
        title="Logs"
      />
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <FilterBar filters={filters} />
        <CallLog
          // Other filters, another log.
          key={addressWith("", { ...chosen, cursor: params.cursor }, {})}
          calls={data}
          empty={
            <NothingListed filters={filters} params={params} problem={problem} title="No call is like that">
              <NoCalls />
            </NothingListed>
          }
          params={params}
          path={PATH}
          selectedId={open?.id}
          tail={isLive ? { href: addressWith(`${PATH}/tail`, chosen, {}), cursor: tail.cursor } : null}
        />
      </div>
      {data.length > 0 ? <PageLinks {...cursorHrefs(PATH, params, nextCursor)} summary="Newest first" /> : null}
      {open ? (
        <OpenCall
          call={open}
          closeHref={addressWith(PATH, params, { call: null })}
          deliveries={await readDeliveries(principal, open)}
        />
      ) : null}
    </>
  );
});

interface OpenCallProps {
  call: CallDetail;
  deliveries: DeliveryRecord[];
  closeHref: string;
}

function OpenCall({ call, deliveries, closeHref }: OpenCallProps) {
  return (
    <SidePanel closeHref={closeHref} title={<span className="font-mono">{call.endpoint}</span>}>
      <CallFacts
        addresses={PANEL_ADDRESSES}
        call={call}
        deliveries={deliveries}
        logHrefOf={(changes) => addressWith(PATH, {}, changes)}
      />
    </SidePanel>
  );
}

function filtersOf(keys: KeyChoices): Filter[] {
  const endpoints = [...new Set(ENDPOINTS.map(endpointName))];
  return [
    {
      kind: "choice",
      param: "endpoint",
      label: "Endpoint",
      choices: endpoints.map((name) => ({ id: name, name })),
    },
    {
      kind: "choice",
      param: "status",
      label: "Status",
      choices: STATUS_CLASSES.map((id) => ({ id, name: STATUS_NAMES[id] })),
    },
    {
      kind: "choice",
      param: "errorCode",
      label: "Error",
      choices: CALL_ERROR_CODES.map((id) => ({ id, name: id })),
    },
    keyFilter(keys),
    { kind: "text", param: "endUserId", label: "End user", placeholder: "customer-42" },
    { kind: "text", param: "ip", label: "IP", placeholder: "203.0.113.7" },
    { kind: "text", param: "requestId", label: "Request id", placeholder: "req_…" },
    { kind: "text", param: "sessionId", label: "Session", placeholder: "ses_…" },
    { kind: "dates", param: "from", toParam: "to", label: "When", hasTimes: true },
  ];
}

/** Keys in use, the playground's, those that ended. What of the last is left out leads to its calls itself. */
function keyFilter({ keys, hasPlayground, hasMore }: KeyChoices): Filter {
  const named = (suffix: string) => (key: KeyChoice) => ({ id: key.id, name: `${key.name} …${key.hint}${suffix}` });
  return {
    kind: "choice",
    param: "keyId",
    label: "Key",
    choices: [
      ...keys.filter(({ isUsable }) => isUsable).map(named("")),
      ...(hasPlayground ? [{ id: ANY_PLAYGROUND_KEY, name: "Playground, all its keys" }] : []),
      ...keys.filter(({ isUsable }) => !isUsable).map(named(", no longer in use")),
    ],
    ...(hasMore && {
      others: { text: "Older keys, and from them to their calls", href: "/panel/api-b2b/api-keys?show=all" },
    }),
  };
}

function NoCalls() {
  return (
    <EmptyState
      text="Each call with a key of this project stands here a moment after it was answered, refused ones too."
      title="No calls yet"
    >
      <NearLink className={buttonVariants({ variant: "outline", size: "sm" })} href="/docs/quick-start">
        Make the first one
      </NearLink>
    </EmptyState>
  );
}
