import { buttonVariants } from "@heroui/styles";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { selectProject } from "@/app/panel/actions";
import { OpenInProject } from "@/components/shell/open-in-project";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { EmptyState } from "@/components/ui/empty-state";
import { hideKeys } from "@/components/ui/hide-keys";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { cutText } from "@/lib/domain/cut-text";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { type Found, findById } from "@/lib/services/search/find-by-id";
import { type FoundElsewhere, findElsewhere } from "@/lib/services/search/find-elsewhere";

export const metadata: Metadata = { title: "Search" };

const MAX_SHOWN_CHARACTERS = 80;

/** Takes any id, as answers and logs carry it, to the page of what it names; where that is in another project, offers to open it there. */
export default orSayAway(async function SearchPage({ searchParams }: { searchParams: Promise<AddressParams> }) {
  const context = await requirePanel("search.use");
  const { q } = await searchParams;
  const text = (typeof q === "string" ? q : "").trim();
  // Where no script could keep a key out of the address.
  if (hideKeys(text) !== text) redirect(addressWith("/panel/search", {}, { q: hideKeys(text) }));
  const found = await findById(context.principal, text);
  if (found) redirect(addressOf(found));
  return (
    <>
      <PageHeader
        purpose="Paste an id, or a reference of your own, into the box above: it leads to what that names."
        title="Search"
      />
      {text === "" ? null : <NotHere context={context} text={text} />}
    </>
  );
});

interface NotHereProps {
  context: PanelContext;
  text: string;
}

const NotHere = orSayAway(async function NotHere({ context, text }: NotHereProps) {
  const places = placesBeside(context);
  const found = await findElsewhere(
    places.map(({ projectId }) => projectId),
    text,
  );
  const place = places.find(({ projectId }) => projectId === found?.projectId);
  const name = <bdi>{cutText(text, MAX_SHOWN_CHARACTERS)}</bdi>;
  if (found && place) return <Elsewhere found={found} name={name} place={place} />;
  return (
    <EmptyState
      text={`${places.length > 0 ? "Your other projects were looked through, too. " : ""}Look whether it is complete. Of a key only the last four characters are kept: “…\u2060aB3x” finds it.`}
      title={<>Nothing here is called “{name}”</>}
    >
      <NearLink className={buttonVariants({ variant: "outline", size: "sm" })} href="/panel/sessions">
        See all sessions
      </NearLink>
      <NearLink className={buttonVariants({ variant: "outline", size: "sm" })} href="/panel/api-b2b/logs">
        See all calls
      </NearLink>
    </EmptyState>
  );
});

interface Place {
  projectId: string;
  name: string;
  /** Null: of the company that the panel shows. */
  companyName: string | null;
}

/** All projects of the reader but the one that is shown, those of the same company first. */
function placesBeside({ account, accounts, project }: PanelContext): Place[] {
  const own = accounts.filter(({ id }) => id === account.id);
  const others = accounts.filter(({ id }) => id !== account.id);
  return [...own, ...others].flatMap(({ id, companyName, projects }) =>
    projects
      .filter((candidate) => candidate.id !== project.id)
      .map((candidate) => ({
        projectId: candidate.id,
        name: candidate.name,
        companyName: id === account.id ? null : companyName,
      })),
  );
}

function Elsewhere({ found, place, name }: { found: FoundElsewhere; place: Place; name: ReactNode }) {
  return (
    <EmptyState
      text={
        <>
          “{name}” belongs to <bdi>{place.name}</bdi>
          {place.companyName === null ? null : (
            <>
              {" "}
              of <bdi>{place.companyName}</bdi>
            </>
          )}
          . The panel shows one project at a time.
        </>
      }
      title="It is in another project"
    >
      <OpenInProject action={selectProject.bind(null, place.projectId)} href={addressOf(found)} name={place.name} />
    </EmptyState>
  );
}

function addressOf({ kind, id, parentId }: Found): string {
  if (kind !== "file") return PANEL_ADDRESSES[kind](id);
  return parentId === null ? "/panel/sessions" : PANEL_ADDRESSES.sessionFiles(parentId);
}
