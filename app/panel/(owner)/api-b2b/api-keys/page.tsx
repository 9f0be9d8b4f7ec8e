import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { createKey, limitKey, revokeKey, rotateKey } from "@/app/panel/(owner)/api-b2b/api-keys/actions";
import { CreateKeyButton } from "@/components/api-keys/create-key-button";
import { KeyFacts } from "@/components/api-keys/key-facts";
import { KeyGate } from "@/components/api-keys/key-gate";
import { KeyTable } from "@/components/api-keys/key-table";
import { LimitKeyButton } from "@/components/api-keys/limit-key-button";
import { NoKeyFound, NoKeys } from "@/components/api-keys/no-keys";
import { RotateKeyButton } from "@/components/api-keys/rotate-key-button";
import { LiveRefresh } from "@/components/home/live-refresh";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { FilterBar } from "@/components/ui/filter-bar";
import type { Filter } from "@/components/ui/filter-kinds";
import { hideKeys } from "@/components/ui/hide-keys";
import { PageHeader } from "@/components/ui/page-header";
import { Pagination } from "@/components/ui/pagination";
import { SidePanel } from "@/components/ui/side-panel";
import { TabLinks } from "@/components/ui/tab-links";
import { UnreadableFilter } from "@/components/ui/unreadable-filter";
import { type ApiKeyRecord, keyListQuery } from "@/lib/contracts/api-keys";
import { env } from "@/lib/env";
import { parseInput } from "@/lib/panel/action-failure";
import { listAt } from "@/lib/panel/offset-of";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { getApiKey } from "@/lib/services/api-keys/get-api-key";
import { listApiKeys } from "@/lib/services/api-keys/list-api-keys";
import { creditsOfKey } from "@/lib/services/turns/credits-spent";
import { getVerification } from "@/lib/services/verification/get-verification";

export const metadata: Metadata = { title: "API Keys" };

const PATH = "/panel/api-b2b/api-keys";
const VERIFICATION_PATH = "/panel/api-b2b/verification";
const TABS = [
  { id: "usable", name: "In use" },
  { id: "all", name: "All" },
];
const FILTERS: Filter[] = [{ kind: "text", param: "q", label: "Find", placeholder: "Name, id, or a pasted key" }];
const PAGE_SIZE = 50;
const REFRESH_MS = 30_000;

/** API B2B / API Keys: what the project's backends sign their calls with (§5.4 to §5.6). */
export default orSayAway(async function ApiKeysPage({ searchParams }: PageProps<"/panel/api-b2b/api-keys">) {
  const [context, params] = await Promise.all([requirePanel("keys.view"), searchParams]);
  const { principal, account, can } = context;
  const isUsable = params.show !== "all";
  const { search, problem } = readSearch(params);
  const [keys, detail, verification] = await Promise.all([
    listAt(params.offset, PAGE_SIZE, (part) => listApiKeys(principal, { ...part, isUsable, search })),
    // A key that is not there is no reason to hide the list.
    typeof params.key === "string" ? getApiKey(principal, params.key).catch(() => null) : null,
    account.verificationStatus === "verified" ? null : getVerification(principal),
  ]);
  const creditsThisMonth = detail ? await creditsOfKey(principal.projectId, detail.id) : 0;
  const mayCreate = verification === null && can("keys.create");
  const createButton = mayCreate ? <CreateKeyButton apiUrl={apiUrl()} createKey={createKey} /> : null;
  return (
    <>
      <LiveRefresh everyMs={REFRESH_MS} />
      <PageHeader
        action={createButton}
        purpose="What your backend proves itself with. A key sees this project alone, and does what its permissions say."
        title="API Keys"
      />
      {verification ? <Gate verification={verification} /> : null}
      <TabLinks
        current={isUsable ? "usable" : "all"}
        label="Which keys"
        param="show"
        params={{ q: search }}
        path={PATH}
        tabs={TABS}
      />
      <FilterBar filters={FILTERS} />
      {problem === null ? (
        <>
          <KeyTable
            empty={
              search === undefined ? (
                <NoKeys createButton={createButton} isUsable={isUsable} isVerified={verification === null} />
              ) : (
                <NoKeyFound allHref={isUsable ? addressWith(PATH, { q: search }, { show: "all" }) : null} />
              )
            }
            hrefOf={({ id }) => addressWith(PATH, params, { key: id })}
            keys={keys.data}
            selectedId={detail?.id}
          />
          {keys.pagination.total > PAGE_SIZE ? (
            <Pagination pagination={keys.pagination} params={params} path={PATH} />
          ) : null}
        </>
      ) : (
        <UnreadableFilter problem={problem} />
      )}
      {detail ? (
        <SidePanel closeHref={addressWith(PATH, params, { key: null })} title={<bdi>{detail.name}</bdi>}>
          <KeyFacts
            apiKey={detail}
            creditsThisMonth={creditsThisMonth}
            hrefOf={PANEL_ADDRESSES.key}
            logsHref={`/panel/api-b2b/logs?keyId=${detail.id}`}
          />
          <KeyActions apiKey={detail} context={context} />
        </SidePanel>
      ) : null}
    </>
  );
});

/** What the address looks for; a key that somebody wrote into it does not stay there. */
function readSearch({ q }: AddressParams): { search: string | undefined; problem: string | null } {
  if (typeof q === "string" && hideKeys(q) !== q) redirect(addressWith(PATH, { show: "all", q: hideKeys(q) }, {}));
  const parsed = parseInput(keyListQuery, { q: q || undefined });
  if ("failure" in parsed) return { search: undefined, problem: parsed.failure.message };
  return { search: parsed.input.q, problem: null };
}

/** Why there can be no key yet. */
function Gate({
  verification: { status, submissions },
}: {
  verification: Awaited<ReturnType<typeof getVerification>>;
}) {
  const latest = submissions[0];
  return (
    <div className="mb-6">
      <KeyGate
        dueAt={latest?.dueAt ?? null}
        status={status}
        submittedAt={latest?.submittedAt ?? null}
        verificationHref={VERIFICATION_PATH}
      />
    </div>
  );
}

function KeyActions({ apiKey, context: { can, account } }: { apiKey: ApiKeyRecord; context: PanelContext }) {
  const { id, name, hint, status } = apiKey;
  const isUsable = status === "active" || status === "retiring";
  const mayRotate = status === "active" && account.verificationStatus === "verified" && can("keys.rotate");
  const mayRevoke = isUsable && can("keys.revoke");
  const mayLimit = isUsable && can("keys.limit");
  if (!mayRotate && !mayRevoke && !mayLimit) return null;
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      {mayRotate ? <RotateKeyButton apiUrl={apiUrl()} keyId={id} name={name} rotateKey={rotateKey} /> : null}
      {mayLimit ? <LimitKeyButton apiKey={apiKey} limitKey={limitKey} /> : null}
      {mayRevoke ? (
        <ConfirmButton
          action={revokeKey.bind(null, { keyId: id })}
          confirmLabel="Revoke key"
          label="Revoke"
          name={name}
          success="Key revoked"
          text={
            <>
              From the next call on the key <span className="font-mono">…{hint}</span> is refused, everywhere. This
              cannot be undone.{status === "retiring" ? " It is the one that was replaced by a newer key." : null}
            </>
          }
          title={`Revoke the key …${hint}?`}
          variant="danger-soft"
        />
      ) : null}
    </div>
  );
}

function apiUrl(): string {
  return `${env().APP_URL}/api/v1`;
}
