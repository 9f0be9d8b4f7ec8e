import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import type { AddressParams } from "@/components/ui/address";
import { PageHeader } from "@/components/ui/page-header";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { findForStaff, type StaffFoundKind } from "@/lib/services/search/find-for-staff";

export const metadata: Metadata = { title: "Search" };

const ADDRESSES = {
  account: STAFF_ADDRESSES.account,
  session: STAFF_ADDRESSES.session,
  call: STAFF_ADDRESSES.call,
  delivery: STAFF_ADDRESSES.openDelivery,
  auditLine: STAFF_ADDRESSES.auditLine,
} satisfies Record<StaffFoundKind, (id: string) => string>;

/** Takes an id that a customer quotes to where staff see what it names; any other text is looked for among companies. */
export default orSayAway(async function StaffSearchPage({ searchParams }: { searchParams: Promise<AddressParams> }) {
  await requireStaff("staff.accounts.view");
  const { q } = await searchParams;
  const text = (typeof q === "string" ? q : "").replaceAll("\0", "").trim();
  const found = await findForStaff(text);
  if (found) redirect(ADDRESSES[found.kind](found.id));
  if (text !== "") redirect(STAFF_ADDRESSES.accountsLike(text));
  return (
    <PageHeader
      purpose="Paste any id of a customer into the box above, or write a company's name or somebody's e-mail address."
      title="Search"
    />
  );
});
