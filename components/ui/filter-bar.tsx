"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useOptimistic, useRef, useTransition } from "react";
import { addressWith } from "@/components/ui/address";
import { FilterChip } from "@/components/ui/filter-chip";
import { type Filter, paramsOf } from "@/components/ui/filter-kinds";
import { formatCount } from "@/components/ui/format-number";
import { say } from "@/components/ui/spoken";

/** The place in a list belongs to one set of filters. */
const PLACES = { offset: null, cursor: null };

/** Filters as chips. They live in the address: it can be kept and sent, and the server draws what it says. */
export function FilterBar({ filters }: { filters: Filter[] }) {
  const router = useRouter();
  const path = usePathname();
  const query = useSearchParams();
  const [isPending, startTransition] = useTransition();

  // As chosen, before the list is there: another choice meanwhile adds to it rather than taking it back.
  const [values, setValues] = useOptimistic<Record<string, string>>(Object.fromEntries(query));
  const apply = (changes: Record<string, string | null>) => {
    startTransition(() => {
      const href = addressWith(path, values, { ...PLACES, ...changes });
      setValues(Object.fromEntries(new URL(href, location.href).searchParams));
      router.push(href, { scroll: false });
    });
  };
  useSaidList(isPending);
  const names = filters.flatMap(paramsOf);
  const isFiltered = names.some((name) => values[name]);

  return (
    <fieldset aria-busy={isPending} aria-label="Filters" className="mb-3 flex min-w-0 flex-wrap items-center gap-2">
      {filters.map((filter) => (
        <FilterChip apply={apply} filter={filter} key={filter.param} values={values} />
      ))}
      {isFiltered ? (
        <button
          className="h-7 rounded-md px-2 text-code text-muted hover:text-foreground"
          onClick={() => apply(Object.fromEntries(names.map((name) => [name, null])))}
          type="button"
        >
          Clear all
        </button>
      ) : null}
    </fieldset>
  );
}

/** Says what a choice has made of the list: the focus stays in the filters, and the rows below change in silence. */
function useSaidList(isPending: boolean): void {
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !isPending) say(listWords());
    wasPending.current = isPending;
  }, [isPending]);
}

function listWords(): string {
  const rows = document.querySelectorAll("main .data-table > tbody > tr").length;
  if (rows > 0) return `${formatCount(rows, "row")} here`;
  return document.querySelector("main [data-empty]") ? "No rows here" : "Ready";
}
