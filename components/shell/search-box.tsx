"use client";

import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { FormError } from "@/components/ui/form-error";
import { MAX_LOOKED_FOR_UNITS } from "@/components/ui/looked-for";
import { useCutPaste } from "@/components/ui/use-cut-paste";

interface SearchBoxProps {
  href: string;
  /** What can be looked for. */
  hint?: string | undefined;
}

/** Takes any id to its page. A plain form: it works before the page's scripts do. */
export function SearchBox({ href, hint = "Paste any id or reference" }: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null);
  const { words, ...cut } = useCutPaste(MAX_LOOKED_FOR_UNITS);

  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", focusOnSlash);
    return () => document.removeEventListener("keydown", focusOnSlash);
  }, []);

  return (
    <search className="min-w-0 flex-1">
      {/* Not `required`: Firefox tells screen readers of an empty one, on every page, as of a wrong entry. */}
      <form
        action={href}
        className="relative max-w-[420px]"
        method="get"
        onSubmit={(event) => {
          if (field.current?.value === "") event.preventDefault();
        }}
      >
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
        />
        <input
          {...cut}
          aria-keyshortcuts="/"
          aria-label="Find by id"
          autoComplete="off"
          className="h-8 w-full rounded-3xl border border-field-border bg-surface pr-8 pl-8.5 text-code outline-none placeholder:text-muted focus:border-focus focus:ring-1 focus:ring-focus"
          maxLength={MAX_LOOKED_FOR_UNITS}
          name="q"
          placeholder={hint}
          ref={field}
          spellCheck={false}
          type="text"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2 hidden -translate-y-1/2 rounded border border-border px-1.5 text-muted text-xs leading-4 sm:block"
        >
          /
        </span>
        <FormError
          className="absolute top-full left-0 z-1 mt-1 rounded-lg border border-border bg-surface px-3 py-1.5"
          text={words}
        />
      </form>
    </search>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
