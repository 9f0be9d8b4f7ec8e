import type { ReactNode } from "react";

interface EmptyStateProps {
  /** What is not there yet: "No API keys yet". */
  title: ReactNode;
  /** What it is for and what to do, in a sentence or two. */
  text: ReactNode;
  /** The next step: a button or a link, perhaps a snippet. */
  children?: ReactNode;
}

/** In place of a list without rows: says what would stand here and how to get the first one. */
export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <div className="rounded-xl border border-border border-dashed px-6 py-12 text-center">
      <p className="font-semibold [overflow-wrap:anywhere]" data-empty="">
        {title}
      </p>
      <p className="mx-auto mt-1 max-w-[56ch] text-pretty text-muted [overflow-wrap:anywhere]">{text}</p>
      {children ? <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div> : null}
    </div>
  );
}
