import type { ReactNode } from "react";
import type { RenderedDraft } from "@/components/templates/template-rules";
import { formatCount } from "@/components/ui/format-number";
import { Section } from "@/components/ui/section";

/** What the call would say, and below it what sends it. */
export function AskedText({
  rendered,
  tokens,
  children,
}: {
  rendered: RenderedDraft;
  tokens: number;
  children: ReactNode;
}) {
  return (
    <Section
      action={<span className="text-code text-muted tabular-nums">about {formatCount(tokens, "token")}</span>}
      title="What the AI is asked"
    >
      <section
        aria-label="Text of the call"
        className="max-h-72 min-h-16 overflow-y-auto whitespace-pre-wrap rounded-lg border border-border bg-code-surface px-3 py-2.5 font-mono text-code [overflow-wrap:anywhere]"
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard
        tabIndex={0}
      >
        {rendered.text || <span className="font-sans text-muted">Nothing yet.</span>}
      </section>
      <p className="mt-1.5 text-code text-muted [overflow-wrap:anywhere]" role="status">
        {renderFault(rendered)}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3">{children}</div>
    </Section>
  );
}

/** Why a call could not say that; null: it could. */
export function renderFault({ missing, isTooLong }: RenderedDraft): string | null {
  if (isTooLong) return "This is longer than 1,000,000 characters: a call with these values is refused.";
  return missing.length > 0 ? `Needs values for: ${missing.join(", ")}.` : null;
}
