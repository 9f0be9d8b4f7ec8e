import type { Metadata } from "next";
import { readList } from "@/app/read-list";
import { AccountTable } from "@/components/staff/account-table";
import { cursorHrefs } from "@/components/ui/cursor-trail";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import type { Filter } from "@/components/ui/filter-kinds";
import { NothingListed } from "@/components/ui/nothing-listed";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/pagination";
import { accountListQuery } from "@/lib/contracts/staff";
import { PLAN_IDS, PLANS } from "@/lib/domain/plans";
import { VERIFICATION_STATUSES } from "@/lib/domain/verification";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { listAccounts } from "@/lib/services/staff/list-accounts";

export const metadata: Metadata = { title: "Accounts" };

const PATH = "/staff/accounts";
const FILTERS: Filter[] = [
  { kind: "text", param: "search", label: "Search", placeholder: "Company, e-mail or acc_…" },
  {
    kind: "choice",
    param: "verification",
    label: "Verification",
    choices: VERIFICATION_STATUSES.map((id) => ({ id, name: id.replaceAll("_", " ") })),
  },
  { kind: "choice", param: "plan", label: "Plan", choices: PLAN_IDS.map((id) => ({ id, name: PLANS[id].name })) },
];

/** All companies that signed up. */
export default orSayAway(async function AccountsPage({ searchParams }: PageProps<"/staff/accounts">) {
  const [params] = await Promise.all([searchParams, requireStaff("staff.accounts.view")]);
  const { data, nextCursor, problem } = await readList(accountListQuery, params, listAccounts);
  return (
    <>
      <PageHeader purpose="Every company that signed up: how it stands, what it has, what it uses." title="Accounts" />
      <FilterBar filters={FILTERS} />
      <AccountTable
        accounts={data}
        plans={PLANS}
        empty={
          <NothingListed filters={FILTERS} params={params} problem={problem} title="No account is like that">
            <EmptyState text="A company that signs up is listed here." title="No accounts yet" />
          </NothingListed>
        }
      />
      {data.length > 0 ? <PageLinks {...cursorHrefs(PATH, params, nextCursor)} summary="Newest first" /> : null}
    </>
  );
});
