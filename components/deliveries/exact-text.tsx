import { CopyButton } from "@/components/ui/copy-button";
import { formatBytes } from "@/components/ui/format-number";

interface ExactTextProps {
  /** "Request body" */
  title: string;
  text: string;
}

const encoder = new TextEncoder();

/** A body exactly as it went over the wire: as text, with a copy button. */
export function ExactText({ title, text }: ExactTextProps) {
  return (
    <figure className="overflow-hidden rounded-lg border border-border bg-code-surface">
      <figcaption className="flex h-9 items-center gap-3 border-separator border-b pr-1.5 pl-4 text-code text-muted">
        <span className="flex-1 truncate">{title}</span>
        <span className="tabular-nums">{formatBytes(encoder.encode(text).length)}</span>
        <CopyButton isIconOnly label={`the ${title.toLowerCase()}`} text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard */}
      <section aria-label={title} className="max-h-80 overflow-auto px-4 py-2.5" tabIndex={0}>
        <pre className="whitespace-pre-wrap font-mono text-code [overflow-wrap:anywhere]">{text}</pre>
      </section>
    </figure>
  );
}
