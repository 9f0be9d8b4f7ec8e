import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";

interface PageHeaderProps {
  /** The page's one `h1`; an id or a name on detail pages. */
  title: ReactNode;
  /** What the page is for, in one line. */
  purpose?: ReactNode;
  /** The primary action, on the right; others before it. */
  action?: ReactNode;
  /** Where a detail page came from. */
  back?: { href: string; name: string };
}

/** The head of every page of the panel. */
export function PageHeader({ title, purpose, action, back }: PageHeaderProps) {
  return (
    <header className="mb-6">
      {back ? (
        <Link
          className="mb-2 inline-flex items-center gap-1.5 text-code text-muted hover:text-foreground"
          href={back.href}
        >
          <ArrowLeft aria-hidden="true" className="size-3.5" />
          {back.name}
        </Link>
      ) : null}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-w-full">
          <h1 className="font-semibold text-title tracking-[-0.015em] [overflow-wrap:anywhere]">{title}</h1>
          {purpose ? (
            <p className="mt-0.5 max-w-[72ch] text-pretty text-muted [overflow-wrap:anywhere]">{purpose}</p>
          ) : null}
        </div>
        {action ? <div className="flex max-w-full shrink-0 flex-wrap items-center gap-2">{action}</div> : null}
      </div>
    </header>
  );
}
