"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useId, useLayoutEffect } from "react";
import { FocusScope } from "react-aria";
import { goBackTo } from "@/components/ui/go-back-to";
import { ignoreSecondClick } from "@/components/ui/second-click";
import { WaitSign } from "@/components/ui/wait-sign";

interface SidePanelProps {
  title: ReactNode;
  /** Beside the title: a status, a button. */
  action?: ReactNode;
  /** The address without the detail: the list behind. */
  closeHref: string;
  children: ReactNode;
}

/**
 * The detail of a row, over the right of its list. It lives in the address: the server draws it, a link closes it, and
 * so do Esc and a click beside it: back to the list where that was before, so that the browser's back button does not open
 * it again. The focus stays in it and goes back to the row.
 */
export function SidePanel({ title, action, closeHref, children }: SidePanelProps) {
  const id = useId();
  const goBack = useWayBack(closeHref);
  return (
    <div className="fixed inset-0 z-30" data-side-panel="">
      <Link
        aria-hidden="true"
        className="absolute inset-0 bg-black/20 dark:bg-black/50"
        href={closeHref}
        onClick={ignoreSecondClick}
        onNavigate={goBack}
        scroll={false}
        tabIndex={-1}
      >
        <WaitSign />
      </Link>
      <FocusScope autoFocus contain restoreFocus>
        <div
          aria-labelledby={id}
          aria-modal="true"
          className="absolute inset-y-0 right-0 flex w-full max-w-[640px] flex-col border-border border-l bg-background shadow-overlay"
          role="dialog"
        >
          <header className="flex min-h-14 shrink-0 items-center gap-3 max-[20rem]:flex-wrap border-separator border-b py-2 pr-3 pl-5">
            <h2
              className="min-w-0 flex-1 max-[20rem]:min-w-3/5 font-semibold text-base [overflow-wrap:anywhere]"
              id={id}
            >
              {title}
            </h2>
            {action}
            <Link
              aria-label="Close"
              className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground"
              href={closeHref}
              onNavigate={goBack}
              scroll={false}
            >
              <X aria-hidden="true" className="size-4" />
              <WaitSign />
            </Link>
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard */}
          <section aria-labelledby={id} className="min-h-0 flex-1 overflow-y-auto p-5" tabIndex={0}>
            {children}
          </section>
        </div>
      </FocusScope>
    </div>
  );
}

/** Esc closes the panel; so do its links, whose own way is only taken where the list was not before. */
function useWayBack(closeHref: string) {
  const router = useRouter();
  // With the panel itself: an effect that waits for its turn comes too late for who presses at once on a busy machine.
  useLayoutEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (!goBackTo(closeHref)) router.push(closeHref, { scroll: false });
    };
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, [closeHref, router]);

  return (event: { preventDefault: () => void }) => {
    if (goBackTo(closeHref)) event.preventDefault();
  };
}
