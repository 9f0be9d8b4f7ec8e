import { buttonVariants } from "@heroui/styles";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import type { AddressParams } from "@/components/ui/address";
import { EmptyState } from "@/components/ui/empty-state";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { cutText } from "@/lib/domain/cut-text";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { type Found, findById } from "@/lib/services/search/find-by-id";

export const metadata: Metadata = { title: "Search" };

const MAX_SHOWN_CHARACTERS = 80;

/** Takes any id, as answers and logs carry it, to the page of what it names. */
export default orSayAway(async function SearchPage({ searchParams }: { searchParams: Promise<AddressParams> }) {
  const { principal } = await requirePanel("search.use");
  const { q } = await searchParams;
  const text = (typeof q === "string" ? q : "").trim();
  const found = await findById(principal, text);
  if (found) redirect(addressOf(found));
  return (
    <>
      <PageHeader purpose="Paste an id into the box above: it leads to what the id names." title="Search" />
      {text === "" ? null : (
        <EmptyState
          text="Look whether it is complete, and whether the right project is chosen on top of the navigation. Keys themselves are not kept: search for the key’s id."
          title={
            <>
              Nothing here is called “<bdi>{cutText(text, MAX_SHOWN_CHARACTERS)}</bdi>”
            </>
          }
        >
          <NearLink className={buttonVariants({ variant: "outline", size: "sm" })} href="/panel/sessions">
            See all sessions
          </NearLink>
          <NearLink className={buttonVariants({ variant: "outline", size: "sm" })} href="/panel/api-b2b/logs">
            See all calls
          </NearLink>
        </EmptyState>
      )}
    </>
  );
});

function addressOf({ kind, id, parentId }: Found): string {
  if (kind !== "file") return PANEL_ADDRESSES[kind](id);
  return parentId === null ? "/panel/sessions" : PANEL_ADDRESSES.sessionFiles(parentId);
}
