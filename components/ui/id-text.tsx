import { CopyButton } from "@/components/ui/copy-button";

interface IdTextProps {
  id: string;
  /** What it is the id of, for the copy button: "the session id". */
  label: string;
  /** Where the id leads. */
  href?: string;
  /** For tables, where the row itself is the link and the button would be too much. */
  hasCopy?: boolean;
}

/** The last characters tell ids of one kind apart; the first ones say the kind. */
const END_CHARACTERS = 6;

/**
 * An id in monospace with a copy button. Where room is short it loses its middle, on the screen alone: what is
 * selected, searched or read aloud is the whole id. Tables set `--id-width`, and `--cell-width` to what a cell can show.
 */
export function IdText({ id, label, href, hasCopy = true }: IdTextProps) {
  const text = (
    <span className="flex min-w-0 font-mono text-code" title={id}>
      <span className="truncate">{id.slice(0, -END_CHARACTERS)}</span>
      <span className="whitespace-nowrap">{id.slice(-END_CHARACTERS)}</span>
    </span>
  );
  return (
    <span className="inline-flex min-w-0 max-w-[min(var(--id-width,100%),var(--cell-width,100%))] items-center gap-0.5 align-middle">
      {href ? (
        // The two halves would be read as two words.
        <a aria-label={id} className="min-w-0 hover:underline" href={href}>
          {text}
        </a>
      ) : (
        text
      )}
      {hasCopy ? (
        <span className="relative z-1">
          <CopyButton isIconOnly label={label} text={id} />
        </span>
      ) : null}
    </span>
  );
}
