import { buttonVariants } from "@heroui/styles";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { cursorHrefs } from "@/components/ui/cursor-trail";
import { EmptyState } from "@/components/ui/empty-state";
import { NearLink } from "@/components/ui/near-link";
import { TimeText } from "@/components/ui/time-text";

interface SearchReachProps {
  /** When the oldest session began that was looked through; null when none is left. */
  lookedBackTo: string | null;
}

/** How far a search for words has looked, below what it found. */
export function SearchReach({ lookedBackTo }: SearchReachProps) {
  if (lookedBackTo === null) return "Newest first, all looked through";
  return (
    <>
      Newest first, looked back to <TimeText at={lookedBackTo} kind="exact" />
    </>
  );
}

interface NothingFoundProps extends SearchReachProps {
  path: string;
  params: AddressParams;
  nextCursor: string | null;
}

/** In place of the list when the sessions that were looked through do not have the words: whether there are more to look through. */
export function NothingFound({ path, params, nextCursor, lookedBackTo }: NothingFoundProps) {
  const { nextHref } = cursorHrefs(path, params, nextCursor);
  if (nextHref && lookedBackTo) {
    return (
      <EmptyState
        text={
          <>
            Looked back to <TimeText at={lookedBackTo} kind="exact" />. A filter by end user, template or day makes the
            search quicker.
          </>
        }
        title="Not found yet"
      >
        <NearLink className={buttonVariants({ variant: "primary", size: "sm" })} href={nextHref}>
          Look further back
        </NearLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      text="All words have to stand in one question, one answer or the name of one file. Try fewer, or clear another filter."
      title={params.cursor ? "Nothing more was found" : "Nobody said that"}
    >
      {params.cursor ? (
        <NearLink
          className={buttonVariants({ variant: "outline", size: "sm" })}
          href={addressWith(path, params, { cursor: null })}
        >
          Back to the newest
        </NearLink>
      ) : null}
    </EmptyState>
  );
}
