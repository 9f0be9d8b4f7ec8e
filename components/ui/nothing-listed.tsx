import type { ReactNode } from "react";
import type { AddressParams } from "@/components/ui/address";
import { EmptyState } from "@/components/ui/empty-state";
import { type Filter, paramsOf } from "@/components/ui/filter-kinds";
import { UnreadableFilter } from "@/components/ui/unreadable-filter";

interface NothingListedProps {
  /** Why a filter of the address cannot be read; null when all can. */
  problem: string | null;
  filters: readonly Filter[];
  /** Of the page's address. */
  params: AddressParams;
  /** When nothing has all of what the filters ask for: "No call is like that". */
  title: string;
  /** Where nothing is filtered: what will stand here. */
  children: ReactNode;
}

/** In place of a filtered list without rows. Nobody is told to clear filters where there are none. */
export function NothingListed({ problem, filters, params, title, children }: NothingListedProps) {
  if (problem !== null) return <UnreadableFilter problem={problem} />;
  // Rows may be gone from where a part of the list began.
  const isNarrowed = ["cursor", ...filters.flatMap(paramsOf)].some((name) => params[name]);
  return isNarrowed ? <EmptyState text="Clear a filter to see more." title={title} /> : children;
}
